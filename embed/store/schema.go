package store

// The file is a SQLite database in WAL mode. Its application_id is applicationID, its user_version is format.
//
// Numbers of sets and chunks are never used again, since readers keep them from one statement to the next.
//
//	sets      one row for each embed.Identity. Vectors of two sets are never compared.
//	          key              Identity.Key
//	          endpoint         of the service that was last found to give these vectors, "#passed-on" behind it where the service sends
//	                           texts on to another machine
//	          met_ns           Unix time of that
//	          version          counts the transactions that changed vectors, failures or the set itself
//	chunks    which text has a vector in which set. Small rows of their own, since telling what is missing reads all of them.
//	          hash             16 bytes
//	          used_day         day since 1970 on which a run last met the text: what prune goes by
//	vectors   id as in chunks. vector is the components as little-endian float32, then the low 4 bytes, little-endian, of the
//	          XXH3-64 of the bytes before: SQLite itself does not notice a flipped bit. Compact vectors, which the length tells
//	          apart, have one int8 for each component, in proportion, before the check.
//	failures  texts that a service refused, or whose vector was of no use. A vector that comes later removes the row.
//	queries   vectors of questions by the XXH3-128 of the question's text; the least recently used go first.
//	batches   the ledger: one row for each request, written before the request is sent. It repeats what the set says, because
//	          it outlives the set.
//	          host             of who was asked then: that of a set may change
//	          state            sent: no answer was stored, so that it may have been paid for nothing
//	                           committed: what the service answered is stored, in the same transaction
//	                           failed: reason says why there was nothing to store
//	          bytes, tokens    sums of the rows of sent; tokens are estimated
//	          sent_ns, done_ns Unix time; done_ns is 0 while the state is sent
//	sent      the texts of each request. state and reason as above, for the one text: a refused text of a committed request
//	          is failed, with its embed.Reason.
//
// Pages of 16 KB hold five vectors of 768 dimensions and 15 of 256. 76,000 vectors of 768 take 241 MB then and 147 ms to read,
// against 301 MB and 983 ms with pages of 4 KB; a table clustered by hash reads at half the speed and takes four times as
// long to write, since each batch then touches as many pages as it has texts.
const schema = `
CREATE TABLE sets (
	id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, provider TEXT NOT NULL, endpoint TEXT NOT NULL, model TEXT NOT NULL, digest TEXT NOT NULL,
	dimensions INTEGER NOT NULL, parameters TEXT NOT NULL, prefix INTEGER NOT NULL, created_ns INTEGER NOT NULL, met_ns INTEGER NOT NULL, version INTEGER NOT NULL
);
CREATE TABLE chunks (id INTEGER PRIMARY KEY AUTOINCREMENT, set_id INTEGER NOT NULL, hash BLOB NOT NULL, used_day INTEGER NOT NULL, UNIQUE (set_id, hash));
CREATE TABLE vectors (id INTEGER PRIMARY KEY, vector BLOB NOT NULL);
CREATE TABLE failures (
	set_id INTEGER NOT NULL, hash BLOB NOT NULL, reason TEXT NOT NULL, at_ns INTEGER NOT NULL, PRIMARY KEY (set_id, hash)
) WITHOUT ROWID;
CREATE TABLE queries (id INTEGER PRIMARY KEY, set_id INTEGER NOT NULL, hash BLOB NOT NULL, vector BLOB NOT NULL, used_ns INTEGER NOT NULL, UNIQUE (set_id, hash));
CREATE INDEX queries_used ON queries (used_ns);
CREATE TABLE batches (
	id INTEGER PRIMARY KEY AUTOINCREMENT, set_key TEXT NOT NULL, purpose TEXT NOT NULL, provider TEXT NOT NULL, host TEXT NOT NULL, model TEXT NOT NULL,
	bytes INTEGER NOT NULL, tokens INTEGER NOT NULL, state TEXT NOT NULL, reason TEXT NOT NULL, sent_ns INTEGER NOT NULL, done_ns INTEGER NOT NULL
);
CREATE INDEX batches_open ON batches (set_key) WHERE state = 'sent';
CREATE TABLE sent (
	batch INTEGER NOT NULL, hash BLOB NOT NULL, bytes INTEGER NOT NULL, tokens INTEGER NOT NULL, state TEXT NOT NULL, reason TEXT NOT NULL,
	PRIMARY KEY (batch, hash)
) WITHOUT ROWID;
`

const (
	applicationID = 0x41567663 // "AVvc"
	format        = 1
	pageBytes     = 16384
)
