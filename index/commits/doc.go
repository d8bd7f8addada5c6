// Package commits keeps the history of a repository for retrieval: the messages as postings, which files each commit changed, and
// the graph of parents. It owns one SQLite file (schema.go), how it follows the repository from commit to commit (Update),
// and views of it (View). It reads git through its Source alone, ranks nothing, and knows no index of files: a view is
// told which paths exist today.
//
// # One file for every revision
//
// Rows are only added: a row holds what is true of its commit wherever HEAD points. A view is of one revision, and counts the
// rows that are ancestors of it; so a switch of branches or a step back in history adds nothing and removes nothing, and a
// view can never show a commit that its revision does not have. Rows that no revision of the last keptHeads updates reaches
// are garbage, and the file is written anew when they are more than a fifth.
//
// # Whole at any time
//
// An update is one SQLite transaction for every checkpointCommits commits, and readers read a snapshot. The log comes newest
// first, so that an interrupted first update leaves the newest part of the history; a view says how much of it there is
// (View.Covered), and the next update reads the log again and passes over what is there.
//
// Read schema.go first, then update.go, graph.go and view.go.
package commits
