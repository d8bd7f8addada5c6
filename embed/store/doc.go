// Package store keeps vectors in the user's cache folder, shared by every work tree, branch and clone: which text, named by
// its hash, has which vector in which set; which texts were refused and why; the vectors of questions; and the ledger of what
// was sent where. It holds no text and no key. It must not embed, retry or read a repository: package embed/runner does the
// first two. Read the schema in schema.go first.
package store
