package watch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"
)

// Status is what a Run knows of its tree, for those who answer questions meanwhile. The zero value is that of no Run; one Run at a
// time may keep it. It is safe for concurrent use.
//
// A file event takes a while from the system to the Run, longer on a busy machine. A question that only looked whether events are
// known would miss the write before it. So it renames a file in a folder of its own that is watched too, the mark, and waits for
// that event: the system hands events out in their order, and what was written before the mark is known once the mark is. Each
// mark has a number, so that a late one is not taken for the next. Questions that come while one mark is under way share the next.
type Status struct {
	mu       sync.Mutex
	active   bool // events are followed, and a first cycle has ended well
	state    State
	news     chan struct{} // closed when state or active changes
	nudge    chan struct{} // of the Run: somebody waits for the next cycle
	folder   string        // of the mark
	mark     int           // the last one that was made
	seen     int           // the last one whose event arrived
	marked   chan struct{} // an event of a mark arrived
	next     *sighting     // not made yet
	sighting bool          // a goroutine makes marks
}

// State is what is known at one moment.
type State struct {
	Pending bool   // files changed, and no update has taken that over yet
	Calm    bool   // nothing had changed for a while before: an update is worth waiting for
	Failed  string // why the last cycle failed, "" when it ended well
	done    int    // the last cycle that ended well, by number
	target  int    // the one that takes over what is pending
}

// sighting is one mark that some questions wait for.
type sighting struct {
	done chan struct{}
	seen bool
}

// markPatience is how long the event of a mark is waited for. A process that gets no processor for so long cannot answer either.
const markPatience = 500 * time.Millisecond

// calmTime is how long nothing may have changed before a change counts as a single one.
const calmTime = 300 * time.Millisecond

// Look gives the state with every change that was made before the call. ok is false while no Run follows events, and when the
// system did not tell of the mark in time: then nothing is known.
func (s *Status) Look(ctx context.Context) (state State, ok bool) {
	s.mu.Lock()
	if !s.active {
		s.mu.Unlock()
		return State{}, false
	}
	if s.state.Pending && !s.state.Calm { // no event makes that less true, and nobody waits for more
		defer s.mu.Unlock()
		return s.state, true
	}
	mine := s.next
	if mine == nil {
		mine = &sighting{done: make(chan struct{})}
		s.next = mine
	}
	if !s.sighting {
		s.sighting = true
		go s.sight()
	}
	s.mu.Unlock()
	select {
	case <-mine.done:
	case <-ctx.Done():
		return State{}, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state, s.active && mine.seen
}

// Peek gives the state as it is known without waiting for what the system has not told yet. followed is false while no Run follows
// events.
func (s *Status) Peek() (state State, followed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state, s.active
}

// sight makes one mark after the other until nobody asks for one.
func (s *Status) sight() {
	for {
		s.mu.Lock()
		mine := s.next
		s.next = nil
		if mine == nil {
			s.sighting = false
			s.mu.Unlock()
			return
		}
		s.mark++
		folder, mark, marked, active := s.folder, s.mark, s.marked, s.active
		s.mu.Unlock()
		mine.seen = active && os.Rename(markName(folder, mark-1), markName(folder, mark)) == nil && s.await(mark, marked)
		close(mine.done)
	}
}

func markName(folder string, mark int) string { return filepath.Join(folder, strconv.Itoa(mark)) }

// await waits until the event of a mark arrived.
func (s *Status) await(mark int, marked <-chan struct{}) bool {
	timer := time.NewTimer(markPatience)
	defer timer.Stop()
	for {
		s.mu.Lock()
		seen, active := s.seen, s.active
		s.mu.Unlock()
		if seen >= mark || !active {
			return active
		}
		select {
		case <-marked:
		case <-timer.C:
			return false
		}
	}
}

// Await asks for the cycle that takes over what was pending in state, at once, and reports whether it ended well before ctx did.
func (s *Status) Await(ctx context.Context, state State) bool {
	for {
		s.mu.Lock()
		now, active, news, nudge := s.state, s.active, s.news, s.nudge
		s.mu.Unlock()
		switch {
		case now.done >= state.target:
			return true
		case !active || now.Failed != "":
			return false
		}
		select {
		case nudge <- struct{}{}:
		default:
		}
		select {
		case <-news:
		case <-ctx.Done():
			return false
		}
	}
}

// open makes the first mark of a Run and gives the folder to watch.
func (s *Status) open() (folder string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.nudge != nil {
		return "", errors.New("a status is kept by two watches")
	}
	if folder, err = os.MkdirTemp("", "agenvantage-watch-"); err == nil {
		folder, err = filepath.EvalSymlinks(folder)
	}
	s.mark++ // one of the last Run is none of this one
	if err == nil {
		err = os.WriteFile(markName(folder, s.mark), nil, 0o600)
	}
	if err != nil {
		return "", fmt.Errorf("make the mark of a watch: %w", err)
	}
	s.folder, s.marked, s.nudge, s.news, s.state = folder, make(chan struct{}, 1), make(chan struct{}, 1), make(chan struct{}), State{}
	return folder, nil
}

// close ends what open began.
func (s *Status) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active, s.nudge = false, nil
	close(s.news)
	os.RemoveAll(s.folder)
}

// publish tells of a new state.
func (s *Status) publish(state State, active bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state == state && s.active == active {
		return
	}
	s.state, s.active = state, active
	close(s.news)
	s.news = make(chan struct{})
}

// arrived tells that the event of a mark came, by the name of its file.
func (s *Status) arrived(name string) {
	mark, err := strconv.Atoi(filepath.Base(name))
	if err != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = max(s.seen, mark)
	select {
	case s.marked <- struct{}{}:
	default:
	}
}
