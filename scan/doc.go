// Package scan reads a source tree, a folder (Walker) or a commit (Commit): which files belong to it, what each one is, and
// its text as everything else sees it. It owns git's ignore set, the size, binary, encoding, minified, lock and credential
// gates, and the typed reasons for what stays out. It runs git (scan/git) and reads files; it writes nothing into the tree
// and follows no link. Text leaves it only through Walker.Read and Commit.Read, with secrets masked by scan/redact. Read
// walker.go first, then list.go, read.go and gate.go; commit.go and committree.go for commits.
//
// # The file set
//
// Inside a work tree the set is what git would not ignore: tracked files, and untracked ones that no .gitignore at any
// level, info/exclude or global excludes file names. Git itself is asked. A folder that is no repository, or that the
// enclosing repository ignores, is listed by git too, with a temporary git folder. Rules of .agenvantageignore, at any
// level and in the same syntax, are applied on top and hold for tracked files as well; ignore files of other tools have
// no effect.
//
// Without a git program the matcher in ignore.go decides. It follows the same rules, but the differences to git
// are: the index is not read, so a tracked file that a rule names is left out; of the configuration only
// core.excludesFile is read (the user's files and the repository's own, no include.path, no system file);
// core.ignoreCase is not honoured; a checked-out submodule is known by its .git file alone.
//
// # Boundaries
//
// Checked-out submodules are read with their own git; others are skipped as submodule. Untracked repositories inside the
// tree are skipped as nested_repository, linked work trees as nested_worktree. Symbolic links are never followed: each is
// skipped with its target as the detail, and a file below a linked folder is not part of the tree.
package scan
