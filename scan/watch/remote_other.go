//go:build !linux && !darwin

package watch

// remoteFileSystem knows no way to tell here: who needs polling asks for it.
func remoteFileSystem(string) (name string, remote bool) { return "", false }
