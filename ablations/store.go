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
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/internal/atomicfile"
	"agenvantage/internal/count"
)

// A run's folder:
//
//	run.json                  what was asked: Manifest; two runs with equal bytes here are the same run
//	tasks.jsonl               the task set, in our own format
//	rankings/NN-VARIANT.jsonl one Ranking a line, in the order in which tasks were answered
//	timings/NN-VARIANT.jsonl  one Timing a line
//	costs.jsonl               one CorpusCost a line
//	measured.json             machine, begin and seconds
//	lock                      held while a process answers
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

// ErrOutput is wrapped where a run or tasks cannot be written at the place that a person named.
var ErrOutput = errors.New("cannot write there")

// CreateRun begins a run in dir, which is made. With resume the run in dir is gone on with: no run there, and one of
// another manifest or other tasks, are agenvantage.ErrBadInput; the latter names what differs. Without resume a folder that
// holds a run is ErrRunExists, and one that holds anything else is ErrOutput, as is one that cannot be written.
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
		return nil, fmt.Errorf("%w: %s holds another run (%s): choose another --out", agenvantage.ErrBadInput, dir, difference(old, text))
	case err == nil:
		return &Run{dir: dir, Manifest: m, Tasks: set}, nil
	case resume:
		return nil, fmt.Errorf("%w: %s holds no run to go on with: leave --resume out to begin one", agenvantage.ErrBadInput, dir)
	}
	if err := makeRunFolder(dir); err != nil {
		return nil, err
	}
	var tasks bytes.Buffer
	if err := WriteTasks(&tasks, set.Tasks); err != nil {
		return nil, err
	}
	if err := WriteFile(filepath.Join(dir, tasksFile), tasks.Bytes()); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrOutput, err)
	}
	if err := WriteFile(filepath.Join(dir, manifestFile), text); err != nil { // last: a folder with it is complete
		return nil, fmt.Errorf("%w: %w", ErrOutput, err)
	}
	return &Run{dir: dir, Manifest: m, Tasks: set}, nil
}

// makeRunFolder makes the folder of a run. It refuses one that holds anything but what a run that was ended while it began
// leaves behind.
func makeRunFolder(dir string) error {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return fmt.Errorf("%w: %s is a file, and a run is a folder", ErrOutput, dir)
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %w", ErrOutput, err)
	}
	for _, e := range entries {
		begun := slices.Contains([]string{"rankings", "timings", tasksFile, lockFile}, e.Name()) || strings.HasSuffix(e.Name(), ".tmp")
		if !begun {
			return fmt.Errorf("%w: %s holds other things (%s) and no run", ErrOutput, dir, e.Name())
		}
	}
	for _, folder := range []string{dir, filepath.Join(dir, "rankings"), filepath.Join(dir, "timings")} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return fmt.Errorf("%w: %w", ErrOutput, err)
		}
	}
	return nil
}

// OpenRun opens a run for reading.
func OpenRun(dir string) (*Run, error) {
	text, err := os.ReadFile(filepath.Join(dir, manifestFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s holds no ablation run (no %s)", agenvantage.ErrBadInput, dir, manifestFile)
	}
	if err != nil { // a file, a folder that may not be read
		return nil, fmt.Errorf("%w: %s is no folder of an ablation run: %v", agenvantage.ErrBadInput, dir, err)
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

// WriteFile replaces a file: readers see the old or the new one.
func WriteFile(file string, data []byte) error {
	if err := atomicfile.Replace(file, data, atomicfile.Options{Mode: 0o644}); err != nil {
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

// Latencies reads every timing that the run holds, in milliseconds by variant and task. A line that cannot be read is
// passed over, and a note says so.
func (r *Run) Latencies() (latencies map[string]map[string]float64, notes []string, err error) {
	latencies = map[string]map[string]float64{}
	for i, v := range r.Manifest.Matrix.Variants {
		byTask := map[string]float64{}
		file := r.lineFile("timings", i)
		damaged, err := readSoundLines(file, func(one Timing) { byTask[one.Task] = one.TookMS })
		if err != nil {
			return nil, nil, err
		}
		notes = append(notes, damagedNote(file, damaged)...)
		latencies[v.Name] = byTask
	}
	return latencies, notes, nil
}

// readSoundLines visits the lines of a file that can be read as T, and counts the others.
func readSoundLines[T any](file string, visit func(one T)) (damaged int, err error) {
	err = readLines(file, func(line []byte) error {
		var one T
		if err := json.Unmarshal(line, &one); err != nil {
			damaged++
			return nil
		}
		visit(one)
		return nil
	})
	return damaged, err
}

// damagedNote says how many lines of a file were passed over.
func damagedNote(file string, damaged int) []string {
	if damaged == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s of %s could not be read and %s passed over: times and sizes are those of the others",
		count.Grouped(damaged, "line", "lines"), filepath.Base(file), map[bool]string{true: "was", false: "were"}[damaged == 1])}
}

// Costs reads the costs, one for each repository: the last one that was written. A line that cannot be read is passed
// over, and a note says so.
func (r *Run) Costs() (costs []CorpusCost, notes []string, err error) {
	at := map[string]int{}
	damaged, err := readSoundLines(filepath.Join(r.dir, costsFile), func(one CorpusCost) {
		if i, ok := at[one.Repo]; ok {
			one.BuildSeconds += costs[i].BuildSeconds
			costs[i] = one
			return
		}
		at[one.Repo] = len(costs)
		costs = append(costs, one)
	})
	return costs, damagedNote(costsFile, damaged), err
}

// Measured reads machine, begin and seconds; a run that was never interrupted nor ended has the zero value, and so has one
// whose file is damaged, which a note says.
func (r *Run) Measured() (m Measured, notes []string, err error) {
	text, err := os.ReadFile(filepath.Join(r.dir, measuredFile))
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil, nil
	}
	if err != nil {
		return m, nil, fmt.Errorf("read %s: %w", filepath.Join(r.dir, measuredFile), err)
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return Measured{}, []string{measuredFile + " could not be read: machine and times are not known"}, nil
	}
	return m, nil, nil
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
