// Package ablations measures retrieval on tasks whose answer is known, and lets the measurement decide what is on. It owns
// task sets and their formats, the rankings that a run keeps, metrics, statistics, reports and the gate. It must not know a
// store, a channel or git: internal/app gives it an Engine that answers through the production pipeline and a History that
// tells what was committed. Read task.go (what is asked), ranking.go (what is kept) and report.go (what is said) first;
// the definitions of the metrics are in metrics.go, those of the statistics in stats.go, the rule in gate.go.
package ablations
