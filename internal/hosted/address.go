package hosted

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/url"
	"os"
	"strings"

	"agenvantage"
	"agenvantage/internal/loopback"
)

// parseAddress reads Options.BaseURL. The user part is taken out of the address. Errors do not show the address, which may
// hold a password.
func parseAddress(o Options) (*url.URL, *url.Userinfo, error) {
	bad := func(format string, a ...any) (*url.URL, *url.Userinfo, error) {
		return nil, nil, fmt.Errorf("%w: %s.base_url: %s", agenvantage.ErrBadInput, o.Section, fmt.Sprintf(format, a...))
	}
	u, err := url.Parse(strings.TrimSpace(o.BaseURL))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return bad("want an http or https address, such as https://host/v1")
	}
	if u.Fragment != "" {
		return bad("an address of a service has no #")
	}
	user := u.User
	u.User, u.RawPath = nil, ""
	u.Path = strings.TrimRight(u.Path, "/")
	for _, tail := range o.Tails {
		if strings.HasSuffix(u.Path, tail) {
			return bad("leave %s out at the end: the address is everything before it", tail)
		}
	}
	return u, user, nil
}

// isLocal reports whether a host name is this machine: a loopback address, the unspecified one (which connects to it), or a
// name below localhost. A name that only resolves to one is not local: what it resolves to can change.
func isLocal(host string) bool {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	ip := net.ParseIP(host)
	return loopback.Is(host) || ip != nil && ip.IsUnspecified() || strings.HasSuffix(host, ".localhost")
}

// maxKeyBytes bounds a key file.
const maxKeyBytes = 64 << 10

// readKey reads the first line of a regular file. Errors name the path and never what it holds.
func readKey(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, pathCause(err))
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s: not a regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, pathCause(err))
	}
	defer f.Close()
	line, err := bufio.NewReader(io.LimitReader(f, maxKeyBytes)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("%s: %w", path, pathCause(err))
	}
	key := strings.TrimSpace(strings.TrimPrefix(line, "\ufeff"))
	if key == "" {
		return "", fmt.Errorf("%s: its first line is empty", path)
	}
	return key, nil
}

func pathCause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// isToken reports whether a header can carry the key: printable ASCII without spaces.
func isToken(key string) bool {
	for i := range len(key) {
		if key[i] <= ' ' || key[i] > '~' {
			return false
		}
	}
	return true
}
