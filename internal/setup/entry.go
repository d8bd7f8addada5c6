package setup

import (
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
)

// entry is what the configuration of a client has under our name: a program that it starts, or the address of a server that
// runs already.
type entry struct {
	command []string // the program and its arguments; the program is "" where none is named
	url     string   // "" for a program
	token   string   // the Authorization header that is sent to the address, as it is written; "" for none
	plain   bool     // it has what set writes for this command, and nothing beside it
}

// addressNames are the members in which clients keep the address of a server.
var addressNames = []string{"url", "httpUrl", "serverUrl", "uri", "endpoint"}

// headerNames are the members in which they keep the headers for it.
var headerNames = []string{"headers", "http_headers", "requestInit"}

// shownURL is the address without what may be secret in it: a password, or a token in its query. It is "" for a program.
func (e *entry) shownURL() string {
	u, err := url.Parse(e.url)
	if err != nil {
		return "that is none"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}

// readEntry reads the members of an entry, whatever the client.
func readEntry(members map[string]any) *entry {
	e := &entry{}
	for _, name := range addressNames {
		if address, ok := members[name].(string); ok && address != "" {
			e.url, e.token = address, readToken(members)
			return e
		}
	}
	switch c := members["command"].(type) {
	case string:
		e.command = append([]string{c}, texts(members["args"])...)
	case []any: // opencode keeps the arguments with the program
		e.command = texts(c)
	}
	if len(e.command) == 0 {
		e.command = []string{""}
	}
	return e
}

func readToken(members map[string]any) string {
	for _, name := range headerNames {
		headers, _ := members[name].(map[string]any)
		if name == "requestInit" {
			headers, _ = headers["headers"].(map[string]any)
		}
		for _, key := range slices.Sorted(maps.Keys(headers)) {
			if text, ok := headers[key].(string); ok && strings.EqualFold(key, "Authorization") {
				return text
			}
		}
	}
	return ""
}

// startsProgram reports whether the entry names a program.
func (e *entry) startsProgram() bool { return e.url == "" && e.command[0] != "" }

// isOurs is the rule by which an entry is told from one that somebody wrote by hand: it has exactly the members that setup writes
// for the client, its arguments are those of setup, and its program is an absolute path to a file that is called agenvantage, with
// or without more behind that, or to binary. The path itself tells nothing: programs are moved.
func (e *entry) isOurs(binary string) bool {
	if !e.plain || !slices.Equal(e.command[1:], serverArguments) {
		return false
	}
	program := e.command[0]
	name := program[strings.LastIndexAny(program, `/\`)+1:]
	return program == binary && binary != "" || isAbsolute(program) && strings.HasPrefix(strings.ToLower(name), ServerName)
}

// isAbsolute accepts the absolute paths of any system: a home folder may be shared.
func isAbsolute(path string) bool {
	return filepath.IsAbs(path) || strings.HasPrefix(path, "/") || strings.HasPrefix(path, `\\`) || len(path) > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/')
}

// foreignNote says of an entry that is not ours what it is, and what would replace it.
func (e *entry) foreignNote(remove bool) string {
	what := "its entry was not written by agenvantage setup, or was changed since"
	if e.url != "" {
		what = "its entry has the address " + e.shownURL()
	}
	do := "replaces it, with a backup"
	if remove {
		do = "takes it out, with a backup"
	}
	return fmt.Sprintf("%s: it is left alone; --force %s", what, do)
}
