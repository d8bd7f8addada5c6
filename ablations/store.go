package ablations

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"agenvantage"
)

// A run's folder:
//
//	run.json                  what was asked: Manifest; two runs with equal bytes here are the same run
//	tasks.jsonl               the task set, in our own format
//	rankings/NN-VARIANT.jsonl one Ranking a line, in the order in which tasks were answered
//	timings/NN-VARIANT.jsonl  one Timing a line
//	costs.jsonl               one CorpusCost a line
//	measured.json             machine, begin and seconds
//	report.json .md .html     made from the above
//
// A line is written whole or, when the process dies, not at all: a last line without its end is cut off on resuming.

// Manifest is what a run is: the input that decides every ranking.
type Manifest struct {
	Format int `json:"format"`
	RunInfo
	Matrix Matrix `json:"matrix"`
	// ConfigHashes holds the hash of each variant's configuration, by its name.
	ConfigHashes map[string]string `json:"config_hashes"`
	TaskNotes    []string          `json:"task_notes,omitempty"` // what a reader of the figures must know of the tasks
}

// manifestFormat is the version of a run's folder.
const manifestFormat = 1

const (
	manifestFile = "run.json"
	tasksFile    = "tasks.jsonl"
	costsFile    = "costs.jsonl"
	measuredFile = "measured.json"
)

// ErrRunExists is returned by CreateRun for a folder that holds a run already.
var ErrRunExists = errors.New("the folder holds a run")

// Run is an opened run folder. It is not safe for concurrent use.
type Run struct {
	dir      string
	Manifest Manifest
	Tasks    TaskSet
}

// CreateRun begins a run in dir, which is made. With resume a run of the same manifest and tasks is gone on with; one
// that differs is agenvantage.ErrBadInput naming the difference. Without it a folder that holds a run is ErrRunExists.
func CreateRun(dir string, m Manifest, set TaskSet, resume bool) (*Run, error) {
	m.Format, m.TaskNotes = manifestFormat, set.Notes
	text, err := encodeManifest(m)
	if err != nil {
		return nil, err
	}
	old, err := os.ReadFile(filepath.Join(dir, manifestFile))
	switch {
	case err == nil && !resume:
		return nil, fmt.Errorf("%w: %s", ErrRunExists, dir)
	case err == nil && !bytes.Equal(old, text):
		return nil, fmt.Errorf("%w: %s holds another run: %s differs", agenvantage.ErrBadInput, dir, difference(old, text))
	case err == nil:
		return &Run{dir: dir, Manifest: m, Tasks: set}, nil
	case !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("open run: %w", err)
	}
	for _, folder := range []string{dir, filepath.Join(dir, "rankings"), filepath.Join(dir, "timings")} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return nil, fmt.Errorf("create run: %w", err)
		}
	}
	var tasks bytes.Buffer
	if err := WriteTasks(&tasks, set.Tasks); err != nil {
		return nil, err
	}
	if err := WriteFile(filepath.Join(dir, tasksFile), tasks.Bytes()); err != nil {
		return nil, err
	}
	if err := WriteFile(filepath.Join(dir, manifestFile), text); err != nil { // last: a folder with it is complete
		return nil, err
	}
	return &Run{dir: dir, Manifest: m, Tasks: set}, nil
}

// OpenRun opens a run for reading.
func OpenRun(dir string) (*Run, error) {
	text, err := os.ReadFile(filepath.Join(dir, manifestFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s holds no ablation run (no %s)", agenvantage.ErrBadInput, dir, manifestFile)
	}
	if err != nil {
		return nil, fmt.Errorf("open run: %w", err)
	}
	r := &Run{dir: dir}
	if err := json.Unmarshal(text, &r.Manifest); err != nil {
		return nil, fmt.Errorf("%w: %s: %v", agenvantage.ErrBadInput, filepath.Join(dir, manifestFile), err)
	}
	if r.Manifest.Format != manifestFormat {
		return nil, fmt.Errorf("%w: %s is a run of format %d, this version reads %d", agenvantage.ErrBadInput, dir, r.Manifest.Format, manifestFormat)
	}
	if r.Tasks, err = LoadTasks(filepath.Join(dir, tasksFile), LoadOptions{}); err != nil {
		return nil, err
	}
	r.Tasks.Name, r.Tasks.Notes = r.Manifest.TaskSet, r.Manifest.TaskNotes
	if r.Tasks.Hash != r.Manifest.TaskSetHash {
		return nil, fmt.Errorf("%w: the tasks of %s were changed since the run began", agenvantage.ErrBadInput, dir)
	}
	return r, nil
}

// Dir is the run's folder.
func (r *Run) Dir() string { return r.dir }

func encodeManifest(m Manifest) ([]byte, error) {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode run: %w", err)
	}
	return append(text, '\n'), nil
}

// difference names the first key of two manifests that differs.
func difference(old, now []byte) string {
	a, b := strings.Split(string(old), "\n"), strings.Split(string(now), "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return strings.TrimRight(strings.TrimSpace(a[i]), ",") + " is now " + strings.TrimRight(strings.TrimSpace(b[i]), ",")
		}
	}
	return "the length"
}

// WriteFile replaces a file: readers see the old or the new one.
func WriteFile(file string, data []byte) error {
	temporary, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*.tmp")
	if err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	defer os.Remove(temporary.Name())
	_, err = temporary.Write(data)
	err = errors.Join(err, temporary.Chmod(0o644), temporary.Sync(), temporary.Close())
	if err == nil {
		err = os.Rename(temporary.Name(), file)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	return nil
}

func (r *Run) lineFile(folder string, variant int) string {
	return filepath.Join(r.dir, folder, fmt.Sprintf("%02d-%s.jsonl", variant+1, r.Manifest.Matrix.Variants[variant].Name))
}

// Answers reads every ranking that the run holds.
func (r *Run) Answers() (Answers, error) {
	answers := Answers{}
	for i, v := range r.Manifest.Matrix.Variants {
		byTask := map[string]Ranking{}
		err := readLines(r.lineFile("rankings", i), func(line []byte) error {
			var one Ranking
			if err := json.Unmarshal(line, &one); err != nil {
				return err
			}
			byTask[one.Task] = one
			return nil
		})
		if err != nil {
			return nil, err
		}
		answers[v.Name] = byTask
	}
	return answers, nil
}

// Latencies reads every timing that the run holds, in milliseconds by variant and task.
func (r *Run) Latencies() (map[string]map[string]float64, error) {
	latencies := map[string]map[string]float64{}
	for i, v := range r.Manifest.Matrix.Variants {
		byTask := map[string]float64{}
		err := readLines(r.lineFile("timings", i), func(line []byte) error {
			var one Timing
			if err := json.Unmarshal(line, &one); err != nil {
				return err
			}
			byTask[one.Task] = one.TookMS
			return nil
		})
		if err != nil {
			return nil, err
		}
		latencies[v.Name] = byTask
	}
	return latencies, nil
}

// Costs reads the costs, one for each repository: the last one that was written.
func (r *Run) Costs() ([]CorpusCost, error) {
	var costs []CorpusCost
	at := map[string]int{}
	err := readLines(filepath.Join(r.dir, costsFile), func(line []byte) error {
		var one CorpusCost
		if err := json.Unmarshal(line, &one); err != nil {
			return err
		}
		if i, ok := at[one.Repo]; ok {
			one.BuildSeconds += costs[i].BuildSeconds
			costs[i] = one
			return nil
		}
		at[one.Repo] = len(costs)
		costs = append(costs, one)
		return nil
	})
	return costs, err
}

// Measured reads machine, begin and seconds; a run that was never interrupted nor ended has the zero value.
func (r *Run) Measured() (Measured, error) {
	var m Measured
	text, err := os.ReadFile(filepath.Join(r.dir, measuredFile))
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	if err != nil {
		return m, fmt.Errorf("read %s: %w", filepath.Join(r.dir, measuredFile), err)
	}
	return m, nil
}

func (r *Run) writeMeasured(m Measured) error {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return fmt.Errorf("encode times: %w", err)
	}
	return WriteFile(filepath.Join(r.dir, measuredFile), append(text, '\n'))
}

// readLines visits the whole lines of a file; a missing file has none, and a last line without its end is passed over.
func readLines(file string, visit func(line []byte) error) error {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read run: %w", err)
	}
	defer f.Close()
	lines := bufio.NewReaderSize(f, 1<<16)
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = visit(line)
		}
		if err != nil {
			return fmt.Errorf("%w: %s:%d: %v", agenvantage.ErrBadInput, file, number, err)
		}
	}
}

// appender adds lines to a file, after cutting off a last line without its end.
type appender struct{ f *os.File }

func openAppender(file string) (*appender, error) {
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("write run: %w", err)
	}
	end, err := endOfLines(f)
	if err == nil {
		err = f.Truncate(end)
	}
	if err == nil {
		_, err = f.Seek(end, io.SeekStart)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("write run: %w", err)
	}
	return &appender{f}, nil
}

// endOfLines is the offset after the last line end.
func endOfLines(f *os.File) (int64, error) {
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, err
	}
	block := make([]byte, 1<<16)
	for end := size; end > 0; {
		begin := max(0, end-int64(len(block)))
		n, err := f.ReadAt(block[:end-begin], begin)
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		if i := bytes.LastIndexByte(block[:n], '\n'); i >= 0 {
			return begin + int64(i) + 1, nil
		}
		end = begin
	}
	return 0, nil
}

func (a *appender) add(value any) error {
	line, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("encode line: %w", err)
	}
	if _, err := a.f.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write run: %w", err)
	}
	return nil
}

func (a *appender) close() error { return a.f.Close() }
