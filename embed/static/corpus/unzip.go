package corpus

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// unzip lays the files of a module's archive, which all begin with prefix, into dir. Names that would leave dir are an error.
func unzip(archive, prefix, dir string) error {
	r, err := zip.OpenReader(archive)
	if err != nil {
		return err
	}
	defer r.Close()
	for _, f := range r.File {
		rel, ok := strings.CutPrefix(f.Name, prefix)
		if !ok || !filepath.IsLocal(filepath.FromSlash(rel)) {
			return fmt.Errorf("%s holds %q", filepath.Base(archive), f.Name)
		}
		if f.UncompressedSize64 > maxFileBytes {
			continue
		}
		if err := unzipFile(f, filepath.Join(dir, filepath.FromSlash(rel))); err != nil {
			return err
		}
	}
	return nil
}

func unzipFile(f *zip.File, name string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	in, err := f.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, io.LimitReader(in, maxFileBytes+1))
	return errors.Join(err, out.Close())
}
