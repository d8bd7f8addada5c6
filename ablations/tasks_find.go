package ablations

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"agenvantage"
)

// taskSource is where a set was found: JSON-lines files, or annotation files with their repos.json.
type taskSource struct {
	name  string
	files []string // sorted
	repos string   // "" for JSON lines
}

// findTasks decides by names alone what path is.
func findTasks(path string) (taskSource, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return taskSource{}, fmt.Errorf("%w: task set %s does not exist", agenvantage.ErrBadInput, path)
	}
	if err != nil { // a folder of it is a file, or may not be entered
		return taskSource{}, fmt.Errorf("%w: open task set: %v", agenvantage.ErrBadInput, err)
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return taskSource{}, fmt.Errorf("open task set %s: %w", path, err)
	}
	src := taskSource{name: setName(absolute, info.IsDir())}
	if info.IsDir() {
		return findInFolder(path, src)
	}
	src.files = []string{path}
	if strings.EqualFold(filepath.Ext(path), ".json") {
		src.repos = filepath.Join(filepath.Dir(absolute), "..", "repos.json")
		if !exists(src.repos) {
			return src, fmt.Errorf("%w: %s: annotations need the file %s (JSON lines end in .jsonl)",
				agenvantage.ErrBadInput, path, filepath.Clean(src.repos))
		}
		if filepath.Base(path) == "repos.json" {
			return src, fmt.Errorf("%w: %s lists repositories: name its folder instead", agenvantage.ErrBadInput, path)
		}
	}
	return src, nil
}

// setName is the folder's name, or the file's without its ending; tasks.jsonl is called as its folder is.
func setName(absolute string, isFolder bool) string {
	name := filepath.Base(absolute)
	if !isFolder && name == "tasks.jsonl" || isFolder && name == "annotations" {
		name = filepath.Base(filepath.Dir(absolute))
	}
	if !isFolder {
		name = strings.TrimSuffix(name, filepath.Ext(name))
	}
	return name
}

func findInFolder(folder string, src taskSource) (taskSource, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return src, fmt.Errorf("%w: open task set: %v", agenvantage.ErrBadInput, err)
	}
	hasAnnotations := false
	var lines []string
	hasJSON := false
	for _, e := range entries {
		switch ext := strings.ToLower(filepath.Ext(e.Name())); {
		case e.IsDir():
			hasAnnotations = hasAnnotations || e.Name() == "annotations"
		case ext == ".jsonl":
			lines = append(lines, filepath.Join(folder, e.Name()))
		case ext == ".json" && e.Name() != "repos.json":
			hasJSON = true
		}
	}
	if i := slices.Index(lines, filepath.Join(folder, "tasks.jsonl")); i >= 0 {
		lines = lines[i : i+1]
	}
	switch {
	case hasAnnotations && len(lines) > 0:
		return src, fmt.Errorf("%w: %s holds both annotations/ and %s: name the one that is meant",
			agenvantage.ErrBadInput, folder, filepath.Base(lines[0]))
	case hasAnnotations:
		src.repos = filepath.Join(folder, "repos.json")
		if !exists(src.repos) {
			return src, fmt.Errorf("%w: %s: annotations need the file %s", agenvantage.ErrBadInput, folder, src.repos)
		}
		err = src.addAnnotations(filepath.Join(folder, "annotations"))
	case len(lines) > 0: // in the order of their names, as the system lists them
		src.files = lines
	case hasJSON && exists(filepath.Join(folder, "..", "repos.json")):
		src.repos = filepath.Join(folder, "..", "repos.json")
		err = src.addAnnotations(folder)
	default:
		return src, fmt.Errorf("%w: %s is no task set: it has neither a .jsonl file nor annotations/ with repos.json",
			agenvantage.ErrBadInput, folder)
	}
	return src, err
}

// addAnnotations takes the annotation files of folder, in the order of their names.
func (s *taskSource) addAnnotations(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("%w: open task set: %v", agenvantage.ErrBadInput, err)
	}
	for _, e := range entries {
		if !e.IsDir() && strings.EqualFold(filepath.Ext(e.Name()), ".json") {
			s.files = append(s.files, filepath.Join(folder, e.Name()))
		}
	}
	slices.Sort(s.files)
	return nil
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// read gives the tasks in the order of a set.
func (s taskSource) read(faults *TaskFaults) ([]Task, error) {
	var tasks []Task
	if s.repos != "" {
		var err error
		if tasks, err = readAnnotations(s.files, s.repos, faults); err != nil {
			return nil, err
		}
	} else {
		for _, file := range s.files {
			more, err := readTaskLines(file, faults)
			if err != nil {
				return nil, err
			}
			tasks = append(tasks, more...)
		}
	}
	sortTasks(tasks)
	return tasks, nil
}
