package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"agenvantage"
	"agenvantage/internal/app"
	"agenvantage/internal/setup"
	"agenvantage/scan/watch"
)

// The oldest git whose options are all that the program uses: rev-parse --end-of-options came in 2.24 and works with --verify
// from 2.30 on.
const minGitMajor, minGitMinor = 2, 30

const gitTimeout = 5 * time.Second

// checkGit asks git for its version, outside of any repository.
func checkGit(ctx context.Context) Check {
	ctx, cancel := context.WithTimeout(ctx, gitTimeout)
	defer cancel()
	program, err := exec.LookPath("git")
	if err != nil {
		return fix("git", "not found: ignore rules are approximated, and there is no history", fmt.Sprintf("install git %d.%d or later", minGitMajor, minGitMinor))
	}
	cmd := exec.CommandContext(ctx, program, "--version")
	cmd.Dir = os.TempDir()
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		return fix("git", fmt.Sprintf("%s does not run: %v", program, err), "install git anew")
	}
	return judgeGit(string(out))
}

// judgeGit reads "git version 2.39.5 (Apple Git-154)".
func judgeGit(answer string) Check {
	answer = strings.TrimSpace(answer)
	version, _, _ := strings.Cut(strings.TrimPrefix(answer, "git version "), " ")
	parts := strings.SplitN(version, ".", 3)
	if len(parts) < 2 {
		return unknown("git", fmt.Sprintf("its version could not be read from %q", answer))
	}
	major, errMajor := strconv.Atoi(parts[0])
	minor, errMinor := strconv.Atoi(parts[1])
	switch {
	case errMajor != nil || errMinor != nil:
		return unknown("git", fmt.Sprintf("its version could not be read from %q", answer))
	case major < minGitMajor || major == minGitMajor && minor < minGitMinor:
		return fix("git", "version "+version, fmt.Sprintf("install git %d.%d or later", minGitMajor, minGitMinor))
	}
	return ok("git", "version "+version)
}

// checkFolder checks who may write the index folder, or the folder in which it would be made.
func (in Input) checkFolder() Check {
	const name = "permissions"
	if in.IndexDir == "" {
		return unknown(name, "the index folder is not known")
	}
	folder, info, err := nearest(in.IndexDir)
	switch {
	case err != nil:
		return fix(name, err.Error(), "--index-dir DIR, or the setting index_dir, for another place")
	case !info.IsDir():
		return fix(name, folder+" is no folder", "remove it, or --index-dir DIR for another place")
	case !mayWrite(folder):
		return fix(name, folder+" cannot be written", "chmod u+rwx "+folder+", or --index-dir DIR, or the setting index_dir, for another place")
	case folder == in.IndexDir && othersMayWrite(info):
		return fix(name, folder+" can be written by everybody: another user could put an index there", "chmod o-w "+folder)
	}
	return ok(name, folder+" can be written")
}

// nearest is a folder, or the first one above it that exists.
func nearest(folder string) (string, fs.FileInfo, error) {
	for {
		info, err := os.Stat(folder)
		if err == nil || !errors.Is(err, fs.ErrNotExist) || folder == filepath.Dir(folder) {
			return folder, info, err
		}
		folder = filepath.Dir(folder)
	}
}

// minFreeBytes is room for the index of a repository of 10,000 files, for a while in two generations.
const minFreeBytes = 512 << 20

func (in Input) checkDisk() Check {
	if in.IndexDir == "" {
		return unknown("disk", "the index folder is not known")
	}
	folder, _, err := nearest(in.IndexDir)
	if err != nil {
		return unknown("disk", err.Error())
	}
	free, known := freeBytes(folder)
	if !known {
		return off("disk", "how much is free is not known on this system")
	}
	return judgeDisk(free, folder)
}

func judgeDisk(free uint64, folder string) Check {
	detail := fmt.Sprintf("%d MiB are free at %s", free>>20, folder)
	if free < minFreeBytes {
		return fix("disk", detail, fmt.Sprintf("make room (%d MiB), or --index-dir DIR, or the setting index_dir, for another disk", minFreeBytes>>20))
	}
	return ok("disk", detail)
}

// checkEmbedder checks who makes vectors and where they are kept. A folder that cannot be written is no fault while what it holds is read, or nobody has
// asked for vectors by a setting.
func (in Input) checkEmbedder(ctx context.Context) Check {
	const name = "embedder"
	fault := in.Vectors.Fault
	if (fault == nil || isUnwritable(fault)) && in.VectorFault != nil && in.Vectors.Stored {
		if err := in.VectorFault(ctx); err != nil {
			fault = err
		}
	}
	if fault == nil && in.Vectors.Dir != "" && !in.Vectors.Stored {
		fault = unwritableFolder(in.Vectors.Dir)
	}
	switch {
	case fault != nil && isUnwritable(fault) && (in.Vectors.Stored || in.Embedder == ""):
		return hint(name, "no new vectors can be kept: "+fault.Error(), in.EmbedderFix(fault))
	case fault != nil:
		return fix(name, withoutSentinel(fault), in.EmbedderFix(fault))
	case in.Embedder == "":
		return off(name, "the model in the program, where a question asks for it by --channels or --like: search works without one")
	case in.Embedder == "none":
		return off(name, "off: search works without one")
	}
	return ok(name, "provider "+in.Embedder)
}

// withoutSentinel is an error without the name of the kind that all bad input has.
func withoutSentinel(err error) string {
	name := agenvantage.ErrBadInput.Error()
	return strings.TrimSuffix(strings.ReplaceAll(err.Error(), name+": ", ""), ": "+name)
}

// isUnwritable reports a store of vectors, or its folder, that takes nothing new because of whose it is.
func isUnwritable(fault error) bool {
	kind, _ := app.EmbedErrorKind(fault)
	return kind == "not_writable"
}

// unwritableFolder says why a folder of vectors could not be made, nil where it could.
func unwritableFolder(dir string) error {
	at, info, err := nearest(dir)
	switch {
	case err != nil:
		return app.VectorsNotWritable(err.Error())
	case !info.IsDir():
		return app.VectorsNotWritable(at + " is no folder")
	case !mayWrite(at):
		return app.VectorsNotWritable(at)
	}
	return nil
}

// checkWatching checks whether a watch gets file events for so many folders.
func (in Input) checkWatching(folders int) Check {
	if in.Machine.Project != "" {
		if system, remote := watch.RemoteFileSystem(in.Machine.Project); remote {
			return off("watching", fmt.Sprintf("%s is on %s: index --watch looks at the files every %s", in.Machine.Project, system, watch.DefaultPoll))
		}
	}
	watches, instances, found := inotifyLimits("/proc/sys/fs/inotify")
	if !found {
		return ok("watching", "by file events")
	}
	return judgeInotify(watches, instances, folders)
}

// inotifyLimits reads what Linux grants a user.
func inotifyLimits(dir string) (watches, instances int, found bool) {
	number := func(name string) int {
		content, err := os.ReadFile(filepath.Join(dir, name))
		n, errNumber := strconv.Atoi(strings.TrimSpace(string(content)))
		if err != nil || errNumber != nil {
			return -1
		}
		return n
	}
	watches, instances = number("max_user_watches"), number("max_user_instances")
	return watches, instances, watches >= 0 && instances >= 0
}

// watchShare is the part of a user's watches that one repository should need: editors and other servers want theirs.
const watchShare = 2

func judgeInotify(watches, instances, folders int) Check {
	detail := fmt.Sprintf("%d folders, of %d that the system grants a user", folders, watches)
	if folders == 0 {
		detail = fmt.Sprintf("the system grants a user %d folders", watches)
	}
	switch {
	case folders > watch.DefaultMaxFolders:
		return off("watching", fmt.Sprintf("%d folders are more than %d: index --watch looks at the files every %s", folders, watch.DefaultMaxFolders, watch.DefaultPoll))
	case watches < watchShare*folders || watches == 0:
		return fix("watching", detail, fmt.Sprintf("sudo sysctl fs.inotify.max_user_watches=%d", max(8*folders, 65536)))
	case instances < 16:
		return fix("watching", fmt.Sprintf("the system grants a user %d watchers", instances), "sudo sysctl fs.inotify.max_user_instances=128")
	}
	return ok("watching", detail)
}

// checkClients checks each entry of ours: one for every client that is installed or entered.
func checkClients(ctx context.Context, found []setup.Found, binary string) []Check {
	var checks []Check
	for _, f := range found {
		name := "client " + f.Client
		for _, c := range f.Configured {
			if c.Address != "" {
				checks = append(checks, checkAddress(ctx, name, f, c))
				continue
			}
			checks = append(checks, checkEntry(name, f, c, binary))
		}
		if f.Installed && len(f.Configured) == 0 {
			checks = append(checks, off(name, "installed, and agenvantage is not entered: agenvantage setup "+f.Client+" enters it"))
		}
	}
	if len(checks) == 0 {
		return []Check{off("clients", "none that agenvantage knows is installed")}
	}
	return checks
}

func checkEntry(name string, f setup.Found, c setup.Configured, binary string) Check {
	again := fmt.Sprintf("agenvantage setup %s --scope %s", f.Client, c.Scope)
	if c.Error != "" {
		return fix(name, c.Error, "mend "+c.Path+" by hand, or move it away; then "+again)
	}
	if !c.Ours {
		again += " --force, which keeps a backup"
	}
	program := c.Command[0]
	if !filepath.IsAbs(program) {
		if _, err := exec.LookPath(program); program == "" || err != nil {
			return fix(name, fmt.Sprintf("%s starts %q, which is not found", c.Path, program), again)
		}
		return ok(name, fmt.Sprintf("%s starts %s", c.Path, program))
	}
	info, err := os.Stat(program)
	switch {
	case err != nil:
		return fix(name, fmt.Sprintf("%s starts %s, which is not there", c.Path, program), again)
	case !info.Mode().IsRegular() || !isExecutable(info):
		return fix(name, fmt.Sprintf("%s starts %s, which is no program", c.Path, program), again)
	}
	if other, err := os.Stat(binary); err != nil || !os.SameFile(info, other) {
		return ok(name, fmt.Sprintf("%s starts %s, which is another program than this one", c.Path, program))
	}
	return ok(name, c.Path)
}
