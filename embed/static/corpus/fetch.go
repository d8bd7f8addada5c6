package corpus

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Fetcher brings packages by the ordinary client of their registry: go, npm and apt-get must be installed and set up. It
// keeps archives only where a client has a cache of its own.
type Fetcher struct {
	Dir        string   // folder for archives and unpacked sources, absolute or below the working directory; made when needed
	AptOptions []string // further options of apt-get: where its lists lie, for instance
	Keep       bool     // leave archives in Dir/archives, where a later run finds them
}

// ErrChanged says that an archive is not the one that the manifest pins.
var ErrChanged = errors.New("archive differs from the manifest")

// Fetch brings p and unpacks it. The returned package has its SHA256; an archive that differs from a pinned one is
// ErrChanged. done removes the sources.
func (f *Fetcher) Fetch(ctx context.Context, p Package) (dir string, fetched Package, done func(), err error) {
	home, err := filepath.Abs(f.Dir) // the clients run in folders of their own
	if err != nil {
		return "", p, nil, fmt.Errorf("fetch %s: %w", p.Key(), err)
	}
	work := filepath.Join(home, "sources", p.Key())
	archives := filepath.Join(home, "archives")
	for _, d := range []string{work, archives} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return "", p, nil, fmt.Errorf("fetch %s: %w", p.Key(), err)
		}
	}
	var used []string
	done = func() {
		_ = os.RemoveAll(work)
		for _, u := range used {
			if !f.Keep {
				_ = os.Remove(u)
			}
		}
	}
	switch p.Ecosystem {
	case Go:
		used, err = goModule(ctx, p, work, filepath.Join(home, "gomod"))
	case NPM:
		used, err = npmTarball(ctx, p, archives)
	case Debian:
		used, err = f.debianSource(ctx, p, archives)
	case Deb:
		used, err = f.debianBinary(ctx, p, archives)
	}
	var sum string
	if err == nil {
		sum, err = hashFiles(used)
	}
	if err == nil && p.SHA256 != "" && p.SHA256 != sum {
		err = fmt.Errorf("%s is %s: %w", p.SHA256, sum, ErrChanged)
	}
	if err == nil {
		err = unpack(ctx, p, used, work)
	}
	if err != nil {
		done()
		return "", p, nil, fmt.Errorf("fetch %s: %w", p.Key(), err)
	}
	p.SHA256 = sum
	return work, p, done, nil
}

func goModule(ctx context.Context, p Package, work, scratch string) ([]string, error) {
	if err := os.MkdirAll(scratch, 0o755); err != nil {
		return nil, err
	}
	out, failed := run(ctx, work, []string{"GOFLAGS=-mod=mod -modcacherw", "GOMODCACHE=" + scratch, "GOWORK=off"}, "go", "mod", "download", "-json", p.Name+"@"+p.Version)
	var info struct{ Zip, Dir, Error string }
	err := json.Unmarshal(out, &info)
	switch {
	case failed != nil && info.Error != "": // which is not on the standard error
		return nil, fmt.Errorf("go mod download: %s", info.Error)
	case failed != nil:
		return nil, failed
	case err != nil:
		return nil, fmt.Errorf("go mod download: %w", err)
	}
	if info.Zip == "" {
		return nil, errors.New("go mod download names no archive")
	}
	_ = os.RemoveAll(info.Dir) // unpacked from the archive below, like every other package
	return []string{info.Zip}, nil
}

func npmTarball(ctx context.Context, p Package, archives string) ([]string, error) {
	name := strings.NewReplacer("@", "", "/", "-").Replace(p.Name) + "-" + p.Version + ".tgz"
	file := filepath.Join(archives, name)
	if _, err := os.Stat(file); err == nil {
		return []string{file}, nil
	}
	if _, err := run(ctx, archives, nil, "npm", "pack", "--loglevel=error", "--ignore-scripts", p.Name+"@"+p.Version); err != nil {
		return nil, err
	}
	if _, err := os.Stat(file); err != nil {
		return nil, err
	}
	return []string{file}, nil
}

func (f *Fetcher) debianSource(ctx context.Context, p Package, archives string) ([]string, error) {
	version := p.Version
	if _, after, ok := strings.Cut(version, ":"); ok {
		version = after
	}
	dsc := filepath.Join(archives, p.Name+"_"+version+".dsc")
	if used, err := archivesOf(dsc); err == nil {
		return used, nil // an earlier run kept them
	}
	args := append(slices.Clone(f.AptOptions), "-qq", "source", "--download-only", p.Name+"="+p.Version)
	if _, err := run(ctx, archives, nil, "apt-get", args...); err != nil {
		// Patches and signatures, which a package has as well, are not read: a mirror may lack them.
		if used, missing := archivesOf(dsc); missing == nil {
			return used, nil
		}
		return nil, err
	}
	return archivesOf(dsc)
}

func (f *Fetcher) debianBinary(ctx context.Context, p Package, archives string) ([]string, error) {
	pattern := filepath.Join(archives, p.Name+"_"+strings.ReplaceAll(p.Version, ":", "%3a")+"_*.deb")
	if found, _ := filepath.Glob(pattern); len(found) == 1 { // names of packages hold no wildcards
		return found, nil
	}
	if _, err := run(ctx, archives, nil, "apt-get", append(slices.Clone(f.AptOptions), "-qq", "download", p.Name+"="+p.Version)...); err != nil {
		return nil, err
	}
	found, _ := filepath.Glob(pattern)
	if len(found) != 1 {
		return nil, fmt.Errorf("apt-get brought %d archives", len(found))
	}
	return found, nil
}

// archivesOf lists a description of a source package and the archives that it names, all of which must be there.
func archivesOf(dsc string) ([]string, error) {
	text, err := os.ReadFile(dsc)
	if err != nil {
		return nil, err
	}
	used := []string{dsc}
	for _, m := range archiveLine.FindAllSubmatch(text, -1) {
		file := filepath.Join(filepath.Dir(dsc), filepath.Base(string(m[1])))
		if _, err := os.Stat(file); err != nil {
			return nil, err
		}
		used = append(used, file)
	}
	return used, nil
}

var archiveLine = regexp.MustCompile(`(?m)^ [0-9a-f]{64} \d+ (\S+\.tar\.(?:gz|xz|bz2|lzma))$`)

// unpack lays the sources of a package into dir.
func unpack(ctx context.Context, p Package, archives []string, dir string) error {
	switch p.Ecosystem {
	case Go:
		return unzip(archives[0], p.Name+"@"+p.Version+"/", dir)
	case NPM:
		return untar(ctx, archives[0], dir, 1)
	case Deb:
		_, err := run(ctx, dir, nil, "dpkg-deb", "-x", archives[0], dir)
		return err
	}
	debian := ""
	for _, a := range archives {
		base := filepath.Base(a)
		switch {
		case strings.Contains(base, ".debian.tar."):
			debian = a
		case strings.HasSuffix(base, ".dsc"):
		case strings.Contains(base, ".orig-"):
			part, _, _ := strings.Cut(base[strings.Index(base, ".orig-")+len(".orig-"):], ".tar.")
			inner := filepath.Join(dir, part)
			if err := os.MkdirAll(inner, 0o755); err != nil {
				return err
			}
			if err := untar(ctx, a, inner, 1); err != nil {
				return err
			}
		default:
			if err := untar(ctx, a, dir, 1); err != nil {
				return err
			}
		}
	}
	if debian != "" {
		return untar(ctx, debian, dir, 0)
	}
	return nil
}

func untar(ctx context.Context, archive, dir string, strip int) error {
	_, err := run(ctx, dir, nil, "tar", "-xf", archive, "-C", dir, "--no-same-owner", "--no-same-permissions", fmt.Sprintf("--strip-components=%d", strip))
	return err
}

// run runs a client and returns its standard output, also of one that failed. The error says what the client said, and of its arguments the
// last one, which names what was wanted.
func run(ctx context.Context, dir string, env []string, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Run(); err != nil {
		return out.Bytes(), fmt.Errorf("%s … %s: %w: %s", name, args[len(args)-1], err, complaint(problems.String()))
	}
	return out.Bytes(), nil
}

// maxComplaint is the most lines of a client's that an error repeats.
const maxComplaint = 3

// complaint is what is wrong by the words of a client: its first lines without warnings and the place of its log.
func complaint(text string) string {
	var said []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "npm error"))
		if line == "" || strings.HasPrefix(line, "W: ") || strings.HasPrefix(line, "npm warn") || strings.HasPrefix(line, "A complete log") || len(said) == maxComplaint {
			continue
		}
		said = append(said, line)
	}
	return strings.Join(said, "; ")
}

// hashFiles is the SHA-256 of the contents of files, one after another.
func hashFiles(files []string) (string, error) {
	h := sha256.New()
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return "", err
		}
		_, err = io.Copy(h, f)
		if err := errors.Join(err, f.Close()); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
