package ablations

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// sampleReport is a made-up report of the size of a small real one: every part is there, effects of either sign, groups
// that some variants lack, figures that are missing. It is the same in every run.
func sampleReport() Report {
	r := rand.New(rand.NewPCG(7, 11))
	report := Report{Format: ReportFormat, Run: RunInfo{
		Product: "agenvantage 0.4.0 (3f2c1d9)", ConfigHash: "b7d1c04e55aa9021", TaskSet: "shelf-questions",
		TaskSetHash: "9c1e77d2ab034f18", IndexFormat: 3, Tokenizer: "o200k_base (tiktoken-go/tokenizer v0.10.0)", Depth: 100,
		Budgets: []int{500, 1000, 2000, 4000, 8000}, Seed: 1, Resamples: 10000, Baseline: "exact+bm25f", All: "all",
		Settings: []Setting{{"search.max_per_file", "3"}, {"index.max_file_bytes", "1048576"}},
	}}
	report.Tasks = sampleTasks()
	for i, x := range sampleVariants {
		report.Variants = append(report.Variants, sampleVariant(r, i, x, report.Tasks))
		report.Measured.Latencies = append(report.Measured.Latencies, VariantLatency{Variant: x.name, P50MS: x.p95 * 0.41, P95MS: x.p95, Tasks: 214})
	}
	report.Comparisons = sampleComparisons(report)
	report.Verdicts, report.Measured.Verdicts = sampleVerdicts()
	report.MovedVariant = "all"
	report.Moved = sampleMoved(r)
	report.Measured.Machine, report.Measured.Started, report.Measured.Seconds = "linux/amd64, 2 cores", "2026-03-02T09:30:00Z", 81.4
	for i, repo := range report.Tasks.Repositories {
		cost := Cost{Files: 140 + 97*i, BuildSeconds: round3(0.8 + 0.6*float64(i)), IndexBytes: int64(2_100_000 + 830_000*i), Channels: map[string]ChannelCost{
			"bm25f": {IndexBytes: int64(900_000 + 300_000*i)}, "dense": {IndexBytes: int64(1_200_000 + 530_000*i), EmbeddedTokens: int64(410_000 + 90_000*i)},
		}}
		report.Measured.Costs = append(report.Measured.Costs, CorpusCost{Repo: repo.Name, Cost: cost})
	}
	return report
}

var sampleVariants = []struct {
	name     string
	channels []string
	effect   float64 // on nDCG@10
	p95      float64
}{
	{"exact+bm25f", []string{"exact", "bm25f"}, 0, 18},
	{"exact+bm25f+symbols", []string{"exact", "bm25f", "symbols"}, 0.004, 21},
	{"exact+bm25f+graph", []string{"exact", "bm25f", "graph"}, -0.022, 34},
	{"exact+bm25f+history", []string{"exact", "bm25f", "history"}, 0.009, 47},
	{"exact+bm25f+dense", []string{"exact", "bm25f", "dense"}, 0.048, 122},
	{"all", []string{"exact", "bm25f", "symbols", "graph", "history", "dense"}, 0.041, 164},
	{"all-dense", []string{"exact", "bm25f", "symbols", "graph", "history"}, 0.003, 61},
	{"dense", []string{"dense"}, -0.115, 96},
}

func sampleTasks() TaskInfo {
	info := TaskInfo{Count: 220, NoAnswer: 6, Notes: []string{"2 questions are asked twice of the same repository, as in the source"}}
	languages := []string{"go", "python", "rust", "typescript"}
	for i, name := range []string{"abacus", "birch", "cobble/core", "dovetail", "ember", "fathom", "gantry", "harbor/web", "inkwell", "jigsaw", "kestrel", "lantern"} {
		info.Repositories = append(info.Repositories, RepoInfo{
			Name: name, Language: languages[i%4], Tasks: 14 + i%5*2, Revisions: []string{fmt.Sprintf("%012x", 0x5a1f0c3+7919*i)},
		})
	}
	info.Repositories[11].Revisions = []string{""}
	info.Classes = []CountInfo{{"symbol", 64}, {"natural", 98}, {"issue", 58}}
	info.Categories = []CountInfo{{"architecture", 50}, {"issue", 58}, {"semantic", 70}, {"symbol", 42}}
	for _, l := range languages {
		info.Languages = append(info.Languages, CountInfo{l, 55})
	}
	info.Sources = []CountInfo{{"codesearch", 162}, {"swe-bench-verified", 58}}
	return info
}

func round3(x float64) float64 { return math.Round(x*1000) / 1000 }

func sampleVariant(r *rand.Rand, i int, x struct {
	name     string
	channels []string
	effect   float64
	p95      float64
}, tasks TaskInfo) VariantReport {
	out := VariantReport{Variant: Variant{Name: x.name, Channels: x.channels}, ConfigHash: fmt.Sprintf("%016x", 0x9e3779b97f4a7c15+uint64(i))}
	if i == 5 {
		out.Settings = map[string]string{"fusion.k": "60", "channels.dense.weight": "0.7"}
	}
	out.Overall = sampleScores(r, x.effect, 214, len(tasks.Repositories))
	group := func(name string, n, clusters int, lift float64) Group {
		return Group{Name: name, Scores: sampleScores(r, x.effect*lift+0.02*(r.Float64()-0.5), n, clusters)}
	}
	for k, c := range tasks.Classes {
		out.ByClass = append(out.ByClass, group(c.Name, c.Count, 12, []float64{-0.2, 1.6, 0.9}[k]))
	}
	for k, c := range tasks.Categories {
		out.ByCategory = append(out.ByCategory, group(c.Name, c.Count, 12, []float64{1.2, 0.9, 1.5, -0.3}[k]))
	}
	for _, c := range tasks.Languages {
		out.ByLanguage = append(out.ByLanguage, group(c.Name, c.Count, 3, 1))
	}
	for _, c := range tasks.Repositories {
		out.ByRepo = append(out.ByRepo, group(c.Name, c.Tasks, 1, 1+2*(r.Float64()-0.5)))
	}
	return out
}

func sampleScores(r *rand.Rand, effect float64, n, clusters int) Scores {
	s := Scores{}
	add := func(name string, mean, half float64) {
		mean = round3(mean)
		e := Estimate{RepoMean: mean, QueryMean: round3(mean + 0.01*(r.Float64()-0.5)), Low: mean, High: mean, Tasks: n, Clusters: clusters}
		if clusters >= 2 {
			e.Low, e.High = round3(mean-half), round3(mean+1.1*half)
		}
		s[name] = e
	}
	add("ndcg@10", 0.581+effect, 0.032)
	add("file_ndcg@10", 0.662+0.9*effect, 0.03)
	add("acc@5", 0.702+0.8*effect, 0.041)
	add("tfh", 1940-9000*effect, 310)
	add("tfh_censored", 0.081-0.4*effect, 0.02)
	add("evidence_area", 0.468+0.8*effect, 0.03)
	for k, b := range []int{500, 1000, 2000, 4000, 8000} {
		at := float64(k)
		add(fmt.Sprintf("success@%d", b), 0.262+0.117*at-0.007*at*at+effect*(0.5+0.3*at), 0.04)
		add(fmt.Sprintf("line_recall@%d", b), 0.214+0.112*at-0.006*at*at+effect*(0.6+0.2*at), 0.03)
		add(fmt.Sprintf("file_recall_tokens@%d", b), 0.331+0.121*at-0.009*at*at+effect*(0.6+0.2*at), 0.03)
		add(fmt.Sprintf("shown_precision@%d", b), 0.31-0.055*at+0.003*at*at+0.5*effect, 0.02)
		add(fmt.Sprintf("spt@%d", b), (0.262+0.117*at-0.007*at*at+effect)*1000/float64(b), 0.02)
		add(fmt.Sprintf("tokens@%d", b), 0.97*float64(b), 20)
	}
	return s
}

func sampleComparisons(report Report) []Comparison {
	var out []Comparison
	base := report.Variants[0]
	for _, x := range report.Variants[1:] {
		for _, metric := range []string{"ndcg@10", "success@2000", "spt@2000", "line_recall@2000", "acc@5", "tfh"} {
			for _, class := range []Class{"", ClassSymbol, ClassNatural, ClassIssue} {
				a, b := base.Overall[metric], x.Overall[metric]
				if class != "" {
					a, b = scoresOf(base.ByClass, string(class))[metric], scoresOf(x.ByClass, string(class))[metric]
				}
				half, scale := 0.017, 1.0
				if metric == "tfh" {
					scale = 9000
				}
				if class != "" {
					half = 0.028
				}
				half *= scale
				d := round3(b.RepoMean - a.RepoMean)
				c := Comparison{A: base.Name, B: x.Name, Metric: metric, Class: class, AValue: a.RepoMean, BValue: b.RepoMean, Difference: d,
					Low: round3(d - half), High: round3(d + half), Test: "sign-flip permutation, exact", Tasks: b.Tasks, Clusters: 12, Needed: 570,
					Wins: b.Tasks/8 + max(0, int(120*d/scale)), Losses: b.Tasks/8 + max(0, int(-120*d/scale))}
				if metric == "success@2000" || metric == "acc@5" {
					c.Test, c.Needed = "McNemar, exact", 470
				}
				c.P = round3(math.Exp(-math.Abs(d)/scale*90) * 0.9)
				c.PHolm = min(1, round3(3*c.P))
				c.Shown = c.isShown()
				out = append(out, c)
			}
		}
	}
	return out
}

func sampleVerdicts() (out []Verdict, costs []VerdictCost) {
	for _, channel := range []string{"exact", "bm25f"} {
		for _, class := range Classes() {
			out = append(out, Verdict{Channel: channel, Class: class, Decision: AlwaysOn, Rule: "part of the baseline", Cost: CostWithin})
			costs = append(costs, VerdictCost{Channel: channel, Class: class, P95MS: 18, P95LimitMS: 200, IndexShare: 0.5, IndexLimit: 2})
		}
	}
	counts := map[Class]int{ClassSymbol: 64, ClassNatural: 98, ClassIssue: 58}
	add := func(channel string, class Class, gain, half float64, decision Decision, rule string, p95, share float64) {
		out = append(out, Verdict{
			Channel: channel, Class: class, Decision: decision, Rule: rule, Tasks: counts[class], Clusters: 12, ClusterKind: "repository",
			Baseline: "exact+bm25f", Arm: "exact+bm25f+" + channel, BaselineSPT: 0.234, ArmSPT: round3(0.234 + gain), Gain: gain,
			Low: round3(gain - half), High: round3(gain + half), P: 0.012, PHolm: 0.048, BaselineSuccess: 0.468, ArmSuccess: round3(0.468 + 2*gain),
			GuardMetric: "ndcg@10", GuardClass: ClassSymbol, GuardChange: -0.004, LeaveOneOut: round3(-gain / 2), Alone: 0.141,
			Cost: CostWithin, EvidenceRunID: "9c1e77d2ab034f18 b7d1c04e55aa9021",
		})
		costs = append(costs, VerdictCost{Channel: channel, Class: class, P95MS: p95, P95LimitMS: 200, IndexShare: share, IndexLimit: 2})
	}
	add("symbols", ClassSymbol, 0.006, 0.011, Insufficient, "the 90% interval of the gain, -0.005 to +0.017, holds 0", 21, 0.04)
	add("symbols", ClassNatural, 0.001, 0.008, Insufficient, "the 90% interval of the gain, -0.007 to +0.009, holds 0", 21, 0.04)
	add("symbols", ClassIssue, 0.003, 0.012, Insufficient, "58 tasks over 12 repositories, and at least 60 over 12 are needed", 21, 0.04)
	add("graph", ClassSymbol, -0.019, 0.009, KeepOff, "the 90% interval of the gain, -0.028 to -0.010, lies below 0", 34, 0.22)
	add("graph", ClassNatural, -0.006, 0.01, Insufficient, "the 90% interval of the gain, -0.016 to +0.004, holds 0", 34, 0.22)
	add("graph", ClassIssue, 0.008, 0.013, Insufficient, "58 tasks over 12 repositories, and at least 60 over 12 are needed", 34, 0.22)
	add("dense", ClassSymbol, 0.004, 0.009, Insufficient, "the 90% interval of the gain, -0.005 to +0.013, holds 0", 122, 1.31)
	add("dense", ClassNatural, 0.031, 0.012, Promote,
		"the 90% interval of the gain lies above 0, success@2000 rose, p after Holm is .048, no guard fell, p95 and index are inside their limits", 122, 1.31)
	add("dense", ClassIssue, 0.017, 0.014, Insufficient, "58 tasks over 12 repositories, and at least 60 over 12 are needed", 122, 1.31)
	return out, costs
}

func sampleMoved(r *rand.Rand) []MovedTask {
	questions := []string{
		"where is a mail tried again when the relay is away", "how does the scanner check the last digit", "lateFee",
		"After the upgrade, members who bring a book back late are shown a wrong amount: the page shows cents where it should show euros with two digits",
		"which handler answers when a book is lent twice", "what closes the reader when the index is rebuilt",
	}
	var out []MovedTask
	for i := range 20 {
		a, b := round3(0.5*r.Float64()), round3(0.4+0.6*r.Float64())
		if i%4 == 3 {
			a, b = b, a
		}
		m := MovedTask{
			Task: fmt.Sprintf("birch/%03d", 17*i%200), Repo: "birch", Language: "python", Category: "semantic", Class: ClassNatural,
			Query: questions[i%len(questions)], Metric: "ndcg@10", A: a, B: b, GoldText: "jobs/mail.py:16-31, jobs/queue.py",
		}
		for k := range 8 {
			span := fmt.Sprintf("%d-%d", 12+9*k, 31+9*k)
			m.UnitsA = append(m.UnitsA, Shown{Path: fmt.Sprintf("server/handlers/part_%d.py", (k+i)%9), Span: span})
			m.UnitsB = append(m.UnitsB, Shown{Path: fmt.Sprintf("server/handlers/part_%d.py", (2*k+i)%9), Span: span})
		}
		m.UnitsA[5] = Shown{Path: "jobs/mail.py", Span: "10-34", Gold: true}
		m.UnitsB[0] = Shown{Path: "jobs/mail.py", Span: "10-34", Gold: true}
		m.UnitsB[3] = Shown{Path: "jobs/queue.py", Span: "1-40", Gold: true}
		if i == 6 {
			m.UnitsA = nil
		}
		out = append(out, m)
	}
	return out
}
