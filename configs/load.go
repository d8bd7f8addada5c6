package configs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/viper"
)

// ProjectFile is the name of a repository's own file, at its root.
const ProjectFile = ".agenvantage.yaml"

// MaxFileBytes bounds a configuration file.
const MaxFileBytes = 1 << 20

// Source names the layer that a value came from.
type Source string

// The layers, lowest first.
const (
	SourceDefault Source = "default"
	SourceUser    Source = "user"
	SourceProject Source = "project"
	SourceEnv     Source = "env"
	SourceFlag    Source = "flag"
)

// LoadOptions says where the layers come from. The zero value loads the defaults and nothing else.
type LoadOptions struct {
	RepoRoot string            // folder of the repository's own file, "" for none
	Env      []string          // "NAME=value" as os.Environ gives them; also HOME and XDG_CONFIG_HOME are taken from here
	Flags    map[string]string // dotted key -> text as given on the command line; an empty text counts
	Dir      string            // what relative paths in Env and Flags are relative to, "" for the current folder
}

// UserFile is the path of the user's file for an environment, "" when it names no home.
func UserFile(env []string) string {
	if dir := lookup(env, "XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "agenvantage", "config.yaml")
	}
	if home := lookup(env, "HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".config", "agenvantage", "config.yaml")
	}
	return ""
}

// lookup gives the last value of a variable, as the system does.
func lookup(env []string, name string) string {
	for _, e := range slices.Backward(env) {
		if n, v, _ := strings.Cut(e, "="); n == name {
			return v
		}
	}
	return ""
}

// Load reads the layers and returns the effective configuration. Later layers win key by key; a setting that is a map
// is merged entry by entry. Files that do not exist are no error. An error is a Faults or a *Fault, each of them
// agenvantage.ErrBadInput. Warnings are in order of layer and line, and are returned with an error too.
func Load(o LoadOptions) (*Config, []Warning, error) {
	if o.Dir == "" {
		o.Dir, _ = os.Getwd()
	}
	home := lookup(o.Env, "HOME")
	layers := map[Source]layer{SourceDefault: readYAML("default.yaml", DefaultYAML, false, home)}
	for source, file := range map[Source]string{SourceUser: UserFile(o.Env), SourceProject: projectFile(o.RepoRoot)} {
		text, warning, err := readFile(file, source == SourceProject)
		if err != nil {
			return nil, nil, err
		}
		l := readYAML(file, text, source == SourceProject, home)
		l.warnings = append(warning, l.warnings...)
		layers[source] = l
	}
	layers[SourceEnv] = readEnv(o, home)
	layers[SourceFlag] = readFlags(o, home)

	order := []Source{SourceDefault, SourceUser, SourceProject, SourceEnv, SourceFlag}
	allowUnknown := false
	for _, s := range order {
		if v, ok := layers[s].values["config.allow_unknown"].(bool); ok {
			allowUnknown = v
		}
	}
	var faults Faults
	var warnings []Warning
	for _, s := range order {
		l := layers[s]
		warnings = append(warnings, l.warnings...)
		found := l.faults
		if allowUnknown {
			for _, f := range l.unknown {
				warnings = append(warnings, Warning{File: f.File, Line: f.Line, Key: f.Key, Message: f.Message})
			}
		} else {
			found = append(slices.Clone(found), l.unknown...)
		}
		slices.SortStableFunc(found, func(a, b *Fault) int { return a.Line - b.Line })
		faults = append(faults, found...)
	}
	if len(faults) > 0 {
		return nil, warnings, faults
	}
	c, err := combine(order, layers)
	if err != nil {
		return nil, warnings, err
	}
	c.Embed.OllamaHost = lookup(o.Env, "OLLAMA_HOST")
	return c, warnings, c.Validate()
}

// combine lays the layers over each other in viper and decodes the result. The values are typed and checked already, so
// that viper converts nothing. Environment variables enter as values because viper reads the process's environment,
// converts without an error, and cannot bind a variable to a map. A map whose keys are data is one typed value, which
// viper passes on as it stands: a map[string]any would lose the case of its keys.
func combine(order []Source, layers map[Source]layer) (*Config, error) {
	v := viper.New()
	c := &Config{sources: map[string]Source{}}
	whole := map[string]any{}
	for _, source := range order {
		nested := map[string]any{}
		for name, value := range layers[source].values {
			c.sources[name] = source
			if k, _ := byName(name); k.kind.isMap() {
				value = merged(whole[name], value)
				whole[name] = value
			}
			switch source {
			case SourceDefault:
				v.SetDefault(name, value)
			case SourceFlag:
				v.Set(name, value)
			default:
				nest(nested, name, value)
			}
		}
		if err := v.MergeConfigMap(nested); err != nil {
			return nil, fmt.Errorf("merge the %s settings: %w", source, err)
		}
	}
	if err := v.UnmarshalExact(c); err != nil {
		return nil, fmt.Errorf("decode the settings: %w", err)
	}
	return c, nil
}

// nest puts value under a dotted key into maps within maps, as a file would hold it.
func nest(m map[string]any, name string, value any) {
	for {
		head, rest, more := strings.Cut(name, ".")
		if !more {
			m[head] = value
			return
		}
		next, ok := m[head].(map[string]any)
		if !ok {
			next = map[string]any{}
			m[head] = next
		}
		m, name = next, rest
	}
}

func projectFile(root string) string {
	if root == "" {
		return ""
	}
	return filepath.Join(root, ProjectFile)
}

// readFile reads a configuration file; a file that does not exist, or "", is empty. A repository's own file counts only
// when it is a regular file itself: a link could make error messages show a file of someone else, a pipe would block.
func readFile(file string, project bool) ([]byte, []Warning, error) {
	if file == "" {
		return nil, nil, nil
	}
	stat := os.Stat
	if project {
		stat = os.Lstat
	}
	info, err := stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil { // a home that this user may not look into, or a file in the place of a folder
		return nil, []Warning{{File: file, Message: "ignored, it cannot be looked at: " + cause(err)}}, nil
	}
	if !info.Mode().IsRegular() {
		if project {
			return nil, []Warning{{File: file, Message: "ignored: not a regular file"}}, nil
		}
		return nil, nil, &Fault{File: file, Message: "not a regular file"}
	}
	if info.Size() > MaxFileBytes {
		return nil, nil, &Fault{File: file, Message: fmt.Sprintf("larger than %d bytes", MaxFileBytes)}
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, nil, &Fault{File: file, Message: "cannot be read: " + cause(err)}
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, MaxFileBytes))
	if err != nil {
		return nil, nil, &Fault{File: file, Message: "cannot be read: " + cause(err)}
	}
	return text, nil, nil
}

// cause is a system error without the operation and the path.
func cause(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// expandHome replaces a leading ~ by home.
func expandHome(path, home string) string {
	if home != "" && (path == "~" || strings.HasPrefix(path, "~/")) {
		return filepath.Join(home, path[1:])
	}
	return path
}

// sortedKeys gives the keys of a map in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// Defaults is the configuration without any file, variable or flag.
func Defaults() (*Config, error) {
	c, _, err := Load(LoadOptions{})
	return c, err
}
