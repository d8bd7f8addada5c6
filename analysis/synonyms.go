package analysis

import "strings"

// synonymSets are words of programming that stand for each other in names and comments, a set a line: abbreviations and what they are
// short for, and verbs for which habits differ. They are index terms. A word may be in several sets. The table is general on purpose: it was
// written without a look at any set of questions, and a word that only one kind of program knows has no place in it.
const synonymSets = `
auth authentication authenticate login signin logon
authorization authorize permission permissions acl
delete remove erase unlink destroy
create make build construct
config configuration settings options preferences conf
error exception failure fault err
parse decode deserialize unmarshal
serialize encode marshal dump
send emit dispatch publish notify
receive listen subscribe consume
fetch get retrieve load
store save persist write
cache memoize
start begin launch
stop end halt terminate shutdown
init initialize initialise setup bootstrap
list array slice vector
map dict dictionary hashmap
callback handler hook listener
argument parameter arg param
arguments parameters args params
function method procedure func fn
directory folder dir
message msg
database db
request req
response res resp reply
retry repeat attempt
random rand
validate check verify validation validator
convert transform translate cast conversion
copy clone duplicate
compare diff comparison
concatenate concat join merge combine append
split tokenize divide
find search lookup
sort order
count size length len
string str text
number int integer numeric
temporary temp tmp
environment env
command cmd
address addr
buffer buf
connection conn
context ctx
document doc
expression expr
format fmt formatting
generate gen
index idx
information info
language lang
maximum max limit
minimum min
previous prev
pointer ptr
position pos offset
process proc
property prop attribute attr field
reference ref
repository repo
source src
statistics stats metrics
synchronize sync
asynchronous async
thread worker
timeout deadline
template tmpl
user account
variable var
version ver
middleware interceptor
route url uri endpoint
logging log logger
plugin extension addon
lock mutex
update modify change edit
show display print render
enable activate
disable deactivate
encrypt cipher crypto encryption
compress gzip compression
iterate loop
color colour
normalize normalise canonicalize
escape sanitize quote
`

// synonyms are the words of the sets that each word is in.
var synonyms = func() map[string][]string {
	of := map[string][]string{}
	for line := range strings.Lines(synonymSets) {
		words := strings.Fields(line)
		for _, w := range words {
			for _, o := range words {
				if o != w {
					of[w] = append(of[w], o)
				}
			}
		}
	}
	return of
}()

// Synonyms are the words that may stand for an index term in programs, in a fixed order; nil for most. Do not change the slice.
func Synonyms(term string) []string { return synonyms[term] }
