// Package e2e holds the end-to-end tests of the product: each builds a tree of its own, runs the built command on it and
// judges what a user or an agent would see. A test that guards against a fault is named after the fault. The package
// knows the command line and the JSON contract and nothing of the packages behind them; only store_test.go looks into
// the index folder, to prove that nothing secret and nothing broken lies in it. Read tool_test.go and contract_test.go
// first.
//
// Two variables change a run: AGENVANTAGE_TEST_KILLS is the number of processes that the crash tests kill, and
// AGENVANTAGE_TEST_BINARY names a command that was built before, for instance with -race.
package e2e
