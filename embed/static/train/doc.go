// Package train fits the built-in embedding model to pairs of texts and code. It owns the choice of the vocabulary, the
// loss, its gradients and the training loop; where pairs come from is the business of package corpus, what a trained model
// does that of package static. All arithmetic is float32 in a fixed order whatever the number of goroutines, without fused
// operations: the same pairs, configuration and seed give the same model.
//
// The model: the vector of a text is the sum over its different pieces of (1 + ln count)·w·E, where E is the row of the piece
// and w its weight, one for questions and one for code, which begins as a/(a+p) for a piece of probability p (Arora, Liang and
// Ma, 2017). The loss is the symmetric InfoNCE over a batch (van den Oord et al., 2018), summed over several leading parts
// of the vectors (Kusupati et al., 2022), with further negatives for each question that plain BM25 finds in the same
// package. Rows are updated by AdaGrad with one accumulator a row.
//
// Read config.go, then data.go (pairs as numbers), loss.go (the gradients) and trainer.go (the loop).
package train
