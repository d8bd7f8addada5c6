// Package corpus makes the training pairs of the built-in embedding model: it fetches the packages of a manifest with the
// ordinary clients of their registries, leaves out what its licence or the evaluation forbids, and turns the rest into pairs
// of a text and the code that the text is about. It owns the manifest, the exclusion and the pairs; nothing of it is part
// of the product, which only carries the trained model. Everything is a function of the manifest: the same packages give
// the same pairs in the same order.
//
// Read manifest.go first, then exclude.go and fingerprint.go (what may not be in), pairs.go (the kinds of pairs) and
// build.go (a package from its name to its file of pairs).
package corpus
