package app

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"agenvantage"
	"agenvantage/embed"
	vectorstore "agenvantage/embed/store"
)

func embedSet(s vectorstore.SetInfo) EmbedSet {
	i := s.Identity
	return EmbedSet{Key: s.Key, Provider: i.Provider, Endpoint: i.Endpoint, Model: i.Model, Digest: i.Digest, Dimensions: i.Dimensions, Parameters: i.Parameters,
		Prefix: i.Prefix, Vectors: s.Vectors, Failures: s.Failures, Queries: s.Queries, Created: s.Created.UTC().Format(time.RFC3339)}
}

// EmbedStatus counts the chunks of the index as it is, and tells what is stored. It asks no service and makes nothing.
func (a *App) EmbedStatus(ctx context.Context) (EmbedStatus, error) {
	done, err := a.use()
	if err != nil {
		return EmbedStatus{}, err
	}
	defer done()
	s := EmbedStatus{State: EmbedOff, Provider: a.embedding.provider(), Model: a.embedding.modelWanted(), Others: []EmbedSet{}, EmbedCounts: EmbedCounts{Failed: []EmbedFailure{}}}
	if !a.embedding.on() {
		s.Notes = []string{"embed.provider is none: the semantic channel is off (" + embedDocs + ")"}
		return s, nil
	}
	s.Notes = a.embedNotes(nil)
	a.renew(ctx)
	pinned, err := a.pin(ctx)
	if err != nil {
		return EmbedStatus{}, err
	}
	defer pinned.release()
	set, _, err := a.embedding.current(ctx)
	if err != nil {
		return EmbedStatus{}, err
	}
	s.Generation = pinned.corpus.Generation()
	if s.EmbedCounts, err = a.embedCounts(ctx, pinned.corpus, set.Key); err != nil {
		return EmbedStatus{}, err
	}
	switch s.State = EmbedPartial; {
	case s.Done == s.Total && set.Key != "":
		s.State = EmbedComplete
	case s.Done == 0:
		s.State = EmbedNone
	}
	return s, a.storeStatus(&s, set.Key)
}

// storeStatus adds what the store holds, and the run that is active.
func (a *App) storeStatus(s *EmbedStatus, key string) error {
	st, err := a.embedding.stored()
	if err != nil || st == nil {
		return err
	}
	s.Store, s.StoreBytes = st.File(), st.Bytes()
	if err := st.Writable(); err != nil {
		s.Notes = append(s.Notes, fmt.Sprintf("no new vectors can be kept: %v", err))
	}
	sets, err := st.Sets()
	if err != nil {
		return err
	}
	for _, set := range sets {
		told := embedSet(set)
		if set.Key == key {
			s.Set = &told
			s.Model = set.Identity.Model
		} else {
			s.Others = append(s.Others, told)
		}
	}
	if s.Running = st.Running(a.runKey()); s.Running == "" && key != "" {
		if by := st.Running(key); by != "" {
			s.Running = by + ", for another repository"
		}
	}
	return a.logStatus(s)
}

// logTail bounds what is read of the end of a log, in bytes.
const logTail = 4096

func (a *App) logStatus(s *EmbedStatus) error {
	file, err := a.EmbedLogFile()
	if err != nil {
		return err
	}
	f, err := os.Open(file)
	if err != nil {
		return nil // no run was in the background
	}
	defer f.Close()
	s.Log = file
	if info, err := f.Stat(); err == nil {
		b := make([]byte, min(info.Size(), logTail))
		n, _ := f.ReadAt(b, info.Size()-int64(len(b)))
		lines := strings.Split(strings.TrimSpace(string(b[:n])), "\n")
		s.LogTail = lines[len(lines)-1]
		if n := len(lines); n > 1 && strings.HasPrefix(s.LogTail, "Try: ") { // advice stands behind the error
			s.LogTail = lines[n-2]
		}
	}
	return nil
}

// EmbedActive names the embedding run of this repository that is active, "" when none is.
func (a *App) EmbedActive() (string, error) {
	st, err := a.embedding.stored()
	if err != nil || st == nil {
		return "", err
	}
	return st.Running(a.runKey()), nil
}

// EmbedStarting waits until no other process is about to start a run of this repository, and keeps others waiting until release.
func (a *App) EmbedStarting() (release func(), err error) {
	st, err := a.embedding.open(true)
	if err != nil {
		return nil, err
	}
	return st.Starting(a.runKey())
}

// EmbedLogRequest says which entries of the ledger are wanted.
type EmbedLogRequest struct {
	Newest    int       // at most so many; 0 for all
	Since     time.Time // sent then or later
	MaybePaid bool      // only what was sent without a vector to show for it
	Hash      string    // of one chunk, in hexadecimal; "" for all
}

// EmbedLog reads the egress ledger of all repositories. It works without a configured provider, and without a store there are no entries.
func (a *App) EmbedLog(ctx context.Context, r EmbedLogRequest) (EmbedLog, error) {
	log := EmbedLog{Entries: []EmbedEntry{}}
	done, err := a.use()
	if err != nil {
		return log, err
	}
	defer done()
	filter := vectorstore.LogFilter{Newest: r.Newest, Since: r.Since, MaybePaid: r.MaybePaid}
	if r.Hash != "" {
		b, err := hex.DecodeString(r.Hash)
		if err != nil || len(b) != len(vectorstore.Hash{}) {
			return log, fmt.Errorf("%w: %q is no hash of a chunk: want %d hexadecimal digits", agenvantage.ErrBadInput, r.Hash, 2*len(vectorstore.Hash{}))
		}
		hash := vectorstore.Hash(b)
		filter.Hash = &hash
	}
	st, err := a.embedding.stored()
	if err != nil || st == nil {
		return log, err
	}
	log.Store = st.File()
	return log, st.Log(ctx, filter, func(e vectorstore.Entry) error {
		entry := EmbedEntry{Batch: e.Batch, Set: e.Set, Purpose: string(e.Purpose), Hash: hex.EncodeToString(e.Hash[:]), Provider: e.Provider, Host: e.Host, Model: e.Model,
			Bytes: e.Bytes, Tokens: e.Tokens, State: string(e.State), Reason: e.Reason, MaybePaid: e.MaybePaid(), Sent: e.Sent.UTC().Format(time.RFC3339Nano)}
		if !e.Done.IsZero() {
			entry.Done = e.Done.UTC().Format(time.RFC3339Nano)
		}
		log.Entries = append(log.Entries, entry)
		return nil
	})
}

// EmbedPruneRequest says which vectors may go.
type EmbedPruneRequest struct {
	UnusedFor time.Duration // what no run has met for so long, in whole days
	DryRun    bool
}

// EmbedPrune removes the vectors that no run of any repository has met for a while, but for those of this repository's index.
func (a *App) EmbedPrune(ctx context.Context, r EmbedPruneRequest) (EmbedRemoved, error) {
	done, err := a.use()
	if err != nil {
		return EmbedRemoved{}, err
	}
	defer done()
	st, err := a.embedding.stored()
	if err != nil || st == nil {
		return EmbedRemoved{Of: []EmbedSet{}, DryRun: r.DryRun}, err
	}
	request := vectorstore.PruneRequest{UnusedFor: r.UnusedFor, DryRun: r.DryRun}
	a.renew(ctx)
	pinned, err := a.pin(ctx)
	switch {
	case err == nil:
		defer pinned.release()
		if request.Keep, err = keptHashes(pinned.corpus); err != nil {
			return EmbedRemoved{}, err
		}
	case !isAbsent(err):
		return EmbedRemoved{}, err
	}
	p, err := st.Prune(ctx, request)
	return embedRemoved(st, p, r.DryRun), err
}

// EmbedPurge removes a set of vectors, or with "" all that is stored, and unless keepLedger is set what the ledger says of them.
func (a *App) EmbedPurge(ctx context.Context, key string, keepLedger bool) (EmbedRemoved, error) {
	done, err := a.use()
	if err != nil {
		return EmbedRemoved{}, err
	}
	defer done()
	st, err := a.embedding.stored()
	if key == "" && !keepLedger && (errors.Is(err, vectorstore.ErrCorrupt) || errors.Is(err, vectorstore.ErrFormat)) {
		return a.discardStore(ctx)
	}
	if err != nil || st == nil {
		return EmbedRemoved{Of: []EmbedSet{}}, err
	}
	p, err := st.Purge(ctx, key, !keepLedger)
	return embedRemoved(st, p, false), err
}

// discardStore removes a store that does not open.
func (a *App) discardStore(ctx context.Context) (EmbedRemoved, error) {
	dir, err := a.embedding.storeDir()
	if err != nil {
		return EmbedRemoved{}, err
	}
	p, err := vectorstore.Discard(ctx, dir, vectorstore.Options{})
	return EmbedRemoved{Store: filepath.Join(dir, vectorstore.FileName), Bytes: p.Bytes, Files: p.Files, Damaged: p.Damaged, Of: []EmbedSet{}}, err
}

func embedRemoved(st *vectorstore.Store, p vectorstore.Pruned, dry bool) EmbedRemoved {
	r := EmbedRemoved{Store: st.File(), Sets: p.Sets, Vectors: p.Vectors, Failures: p.Failures, Queries: p.Queries, Entries: p.Entries, Bytes: p.Bytes,
		Files: p.Files, Damaged: p.Damaged, StoreBytes: st.Bytes(), Of: []EmbedSet{}, DryRun: dry}
	for _, s := range p.Of {
		r.Of = append(r.Of, embedSet(s))
	}
	return r
}

// semanticStatus is the channel in the state of the index: by what is stored, without asking a service.
func (a *App) semanticStatus(ctx context.Context, c *corpus) (ChannelStatus, error) {
	s := ChannelStatus{Name: semanticChannel, Status: agenvantage.StatusOff}
	if !a.embedding.on() {
		return s, nil
	}
	set, ok, err := a.embedding.current(ctx)
	if err != nil || !ok {
		s.Status = agenvantage.StatusNoVectors
		return s, nil
	}
	counts, err := a.embedCounts(ctx, c, set.Key)
	if err != nil {
		return s, err
	}
	s.Items, s.Bytes = counts.Done, int64(counts.Done)*vectorBytes(set)
	switch s.Status = agenvantage.StatusPartial; {
	case counts.Done == 0:
		s.Status = agenvantage.StatusNoVectors
	case counts.Done == counts.Total:
		s.Status = agenvantage.StatusOK
	}
	return s, nil
}

// EmbedReasons lists the reasons for which a chunk has no vector.
func EmbedReasons() []embed.Reason {
	return []embed.Reason{embed.ReasonNaN, embed.ReasonNull, embed.ReasonZero, embed.ReasonDimension, embed.ReasonTooLong, embed.ReasonRejected}
}
