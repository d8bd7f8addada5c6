package meta

/*
#define _GNU_SOURCE
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

// What a handler of signals may call is little: the functions here use system calls and memory of their own.

enum { AGV_KEPT = 64 };

static struct sigaction agv_before; // the handler of the Go runtime
static unsigned long agv_count;     // files that were mended
static struct { unsigned long device, file; } agv_mended[AGV_KEPT]; // the last of them, at count modulo AGV_KEPT

// agv_hex reads a hexadecimal number and moves *at behind it.
static unsigned long agv_hex(const char **at) {
	unsigned long n = 0;
	for (;; (*at)++) {
		char c = **at;
		if (c >= '0' && c <= '9') n = n * 16 + (c - '0');
		else if (c >= 'a' && c <= 'f') n = n * 16 + (c - 'a' + 10);
		else return n;
	}
}

// agv_line reads one line of /proc/self/maps, "start-end rights offset device node   path". It returns the path when the line is of the
// page at address, with the length that the file needs.
static const char *agv_line(const char *line, unsigned long address, unsigned long *needs) {
	unsigned long start = agv_hex(&line);
	if (*line++ != '-') return 0;
	unsigned long end = agv_hex(&line);
	if (address < start || address >= end) return 0;
	line = strchr(line, ' '); // before the rights
	if (!line) return 0;
	line = strchr(line + 1, ' ');
	if (!line) return 0;
	line++;
	*needs = agv_hex(&line) + (end - start);
	return strchr(line, '/');
}

// agv_find finds the path of the file that is mapped at address.
static int agv_find(unsigned long address, char *path, unsigned long *needs) {
	static const int whole = PATH_MAX + 128;
	char line[PATH_MAX + 128], part[512];
	int used = 0, found = 0;
	int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	if (maps < 0) return 0;
	for (ssize_t n; !found && (n = read(maps, part, sizeof part)) > 0;) {
		for (ssize_t i = 0; i < n && !found; i++) {
			if (part[i] != '\n') {
				if (used < whole - 1) line[used++] = part[i];
				continue;
			}
			line[used] = 0;
			used = 0;
			const char *name = agv_line(line, address, needs);
			if (name) {
				found = 1;
				strcpy(path, name); // as long as the line at most
			}
		}
	}
	close(maps);
	return found;
}

// agv_is_shared tells the shared memory of SQLite by its name, also where it was removed.
static int agv_is_shared(const char *path) {
	static const char removed[] = " (deleted)", end[] = "-shm";
	size_t n = strlen(path);
	if (n > sizeof removed - 1 && !memcmp(path + n - (sizeof removed - 1), removed, sizeof removed - 1)) n -= sizeof removed - 1;
	return n > sizeof end - 1 && !memcmp(path + n - (sizeof end - 1), end, sizeof end - 1);
}

// agv_mend gives a file of shared memory its length back.
static int agv_mend(const char *path, unsigned long needs) {
	char name[32] = "/proc/self/fd/", open_as[PATH_MAX + 128];
	const size_t before = strlen(name);
	for (int fd = 0; fd < 65536; fd++) {
		char digits[8];
		int n = 0, rest = fd;
		do digits[n++] = '0' + rest % 10; while (rest /= 10);
		for (int i = 0; i < n; i++) name[before + i] = digits[n - 1 - i];
		name[before + n] = 0;
		ssize_t length = readlink(name, open_as, sizeof open_as - 1);
		if (length < 0) continue;
		open_as[length] = 0;
		struct stat info;
		if (strcmp(open_as, path) || fstat(fd, &info) || !S_ISREG(info.st_mode)) continue;
		if ((unsigned long)info.st_size < needs && ftruncate(fd, needs)) continue;
		unsigned long at = __atomic_load_n(&agv_count, __ATOMIC_SEQ_CST) % AGV_KEPT;
		agv_mended[at].device = info.st_dev;
		agv_mended[at].file = info.st_ino;
		__atomic_add_fetch(&agv_count, 1, __ATOMIC_SEQ_CST);
		return 1;
	}
	return 0;
}

static void agv_on_bus_error(int number, siginfo_t *info, void *context) {
	char path[PATH_MAX + 128];
	unsigned long needs = 0;
	if (info->si_code == BUS_ADRERR && agv_find((unsigned long)info->si_addr, path, &needs) && agv_is_shared(path) && agv_mend(path, needs))
		return; // the instruction runs again
	if (agv_before.sa_flags & SA_SIGINFO) agv_before.sa_sigaction(number, info, context);
	else if (agv_before.sa_handler != SIG_DFL && agv_before.sa_handler != SIG_IGN) agv_before.sa_handler(number);
	else signal(number, SIG_DFL);
}

static void agv_guard(void) {
	struct sigaction own;
	if (sigaction(SIGBUS, 0, &agv_before)) return;
	own = agv_before; // on the signal stack of the runtime, with its mask
	own.sa_flags |= SA_SIGINFO | SA_ONSTACK;
	own.sa_sigaction = agv_on_bus_error;
	sigaction(SIGBUS, &own, 0);
}

static unsigned long agv_mended_count(void) { return __atomic_load_n(&agv_count, __ATOMIC_SEQ_CST); }

static int agv_was_mended(unsigned long since, unsigned long device, unsigned long file) {
	unsigned long now = agv_mended_count();
	if (now - since >= AGV_KEPT) return 1; // nobody knows any more
	for (; since < now; since++)
		if (agv_mended[since % AGV_KEPT].device == device && agv_mended[since % AGV_KEPT].file == file) return 1;
	return 0;
}
*/
import "C"

import (
	"io/fs"
	"sync"
	"syscall"
)

// The handler gives a file of shared memory its length back when its end is missing. The engine finds it empty and makes the table again
// from the log. Who read meanwhile may have read the wrong state of a page, and has to ask sharedMemory.damaged. Signals of other
// addresses go to the handler of the Go runtime, which Go's rules for handlers in C ask for.

// guard sets the handler.
var guard = sync.OnceFunc(func() { C.agv_guard() })

// mendedCount is how many files were mended so far.
func mendedCount() uint64 { return uint64(C.agv_mended_count()) }

// wasMended reports that a file was mended since that count.
func wasMended(since uint64, file fs.FileInfo) bool {
	s, ok := file.Sys().(*syscall.Stat_t)
	return ok && C.agv_was_mended(C.ulong(since), C.ulong(s.Dev), C.ulong(s.Ino)) != 0
}
