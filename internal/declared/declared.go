// Package declared reads from the source of a package which values its string types have, so that tests hold the closed lists of the
// contracts against them. It serves tests alone.
package declared

import (
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Strings lists the values of the constants that the package in dir declares of string types of its own, by the name of the type: each value
// once, sorted. Tests of the package do not count, and neither do constants inside of functions. A folder without Go files, and a file that
// does not parse, are errors; imports are not followed, so that a value made of a constant of another package is an error too.
func Strings(dir string) (map[string][]string, error) {
	set := token.NewFileSet()
	files, err := parse(set, dir)
	if err != nil {
		return nil, fmt.Errorf("constants of %s: %w", dir, err)
	}
	// The errors are those of the imports that are not there; what they make unknown is looked at below.
	check := types.Config{IgnoreFuncBodies: true, Importer: noImports{}, Error: func(error) {}}
	pkg, _ := check.Check(dir, set, files, nil)
	values := map[string][]string{}
	for _, name := range pkg.Scope().Names() {
		c, isConstant := pkg.Scope().Lookup(name).(*types.Const)
		if !isConstant {
			continue
		}
		named, isNamed := c.Type().(*types.Named)
		if !isNamed {
			continue
		}
		if basic, ok := named.Underlying().(*types.Basic); !ok || basic.Info()&types.IsString == 0 {
			continue
		}
		if c.Val().Kind() != constant.String {
			return nil, fmt.Errorf("constants of %s: the value of %s cannot be told without the imports", dir, name)
		}
		values[named.Obj().Name()] = append(values[named.Obj().Name()], constant.StringVal(c.Val()))
	}
	for name, list := range values {
		slices.Sort(list)
		values[name] = slices.Compact(list)
	}
	return values, nil
}

// parse reads the files of the package in dir that are no tests.
func parse(set *token.FileSet, dir string) ([]*ast.File, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, filepath.Join(dir, e.Name()), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	if len(files) == 0 {
		return nil, errors.New("no Go files")
	}
	return files, nil
}

// noImports is an importer for which no package is there.
type noImports struct{}

func (noImports) Import(path string) (*types.Package, error) {
	return nil, errors.New("imports are not followed")
}
