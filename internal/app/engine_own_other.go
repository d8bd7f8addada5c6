//go:build !unix

package app

import "io/fs"

// isOwn trusts that the folder for temporary files is the user's own.
func isOwn(fs.FileInfo) bool { return true }
