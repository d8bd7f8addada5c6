package main

import (
	"bufio"
	"cmp"
	"fmt"
	"strings"
	"time"

	"agenvantage/internal/app"
	"agenvantage/internal/count"
)

// where names a service: its address, or this program.
func where(endpoint string) string { return visible(cmp.Or(endpoint, "this program itself")) }

// money is an amount at a price that is named beside it.
func money(amount float64) string { return fmt.Sprintf("%.4f", amount) }

func (p *program) renderEmbedPlan(plan app.EmbedPlan) error {
	t := newTable(p.stdout)
	leaves := "text stays on this machine"
	switch {
	case plan.Hosted:
		leaves = "text would leave this machine"
	case plan.HostedUnknown:
		leaves = "whether it passes text on to another machine is not known until it is asked"
	}
	fmt.Fprintf(t, "model\t%s %s\n", plan.Provider, visible(plan.Model))
	fmt.Fprintf(t, "service\t%s; %s\n", where(plan.Endpoint), leaves)
	fmt.Fprintf(t, "index\t%s, %s, %s\n", count.Of(plan.Files, "file", "files"), count.Of(plan.Chunks, "chunk", "chunks"), count.Of(plan.Texts, "different text", "different texts"))
	fmt.Fprintf(t, "there already\t%s, %d refused before\n", count.Of(plan.Cached, "text", "texts"), plan.Known)
	masked := "in what would be sent"
	if plan.Endpoint == "" {
		masked = "in what the model would read"
		fmt.Fprintf(t, "to be made\t%s: about %d tokens, %s; nothing is sent\n", count.Of(plan.Send, "vector", "vectors"), plan.Tokens, bytesText(plan.Bytes))
	} else {
		fmt.Fprintf(t, "to be sent\t%s in %s: about %d tokens, %s\n", count.Of(plan.Send, "text", "texts"), count.Of(plan.Requests, "request", "requests"), plan.Tokens, bytesText(plan.Bytes))
	}
	switch plan.PriceFrom {
	case "local":
		fmt.Fprintf(t, "cost\tnone: it runs here\n")
	case "unknown":
		fmt.Fprintf(t, "cost\tunknown: embed.price says what a million tokens cost\n")
	default:
		fmt.Fprintf(t, "cost\t%s at most, at %g for a million tokens (%s)\n", money(plan.Money), plan.Price, plan.PriceFrom)
	}
	fmt.Fprintf(t, "masked\t%s %s\n", count.Of(plan.Redactions, "secret", "secrets"), masked)
	fmt.Fprintf(t, "kept here\t%s, %s by embed.allow and embed.deny\n", count.Of(plan.Denied, "text", "texts"), count.Of(len(plan.Blocked), "path", "paths"))
	if err := t.Flush(); err != nil {
		return err
	}
	for i, path := range plan.Blocked {
		if i == 10 {
			fmt.Fprintf(p.stdout, "  … and %d more\n", len(plan.Blocked)-i)
			break
		}
		fmt.Fprintf(p.stdout, "  %s\n", visiblePath(path))
	}
	p.notes(plan.Notes)
	return nil
}

// shownFailures bounds the refused chunks that people are shown.
const shownFailures = 20

func (p *program) renderFailures(failed []app.EmbedFailure) error {
	for i, f := range failed {
		if i == shownFailures {
			_, err := fmt.Fprintf(p.stdout, "  … and %d more: --json lists them all\n", len(failed)-i)
			return err
		}
		if _, err := fmt.Fprintf(p.stdout, "  no vector: %s:%d-%d  %s\n", visiblePath(f.Path), f.StartLine, f.EndLine, f.Reason); err != nil {
			return err
		}
	}
	return nil
}

func countsText(c app.EmbedCounts) string {
	s := fmt.Sprintf("%d of %s", c.Done, count.Of(c.Total, "chunk has a vector", "chunks have a vector"))
	if c.Missing > 0 {
		s += fmt.Sprintf(", %d missing", c.Missing)
	}
	if len(c.Failed) > 0 {
		s += fmt.Sprintf(", %d refused", len(c.Failed))
	}
	if c.Denied > 0 {
		s += fmt.Sprintf(", %d kept here", c.Denied)
	}
	return s
}

func (p *program) renderEmbedRun(s app.EmbedSummary) error {
	fmt.Fprintf(p.stdout, "%s %s at %s, %d numbers a vector\n", s.Set.Provider, visible(s.Set.Model), where(s.Set.Endpoint), s.Set.Dimensions)
	fmt.Fprintf(p.stdout, "%s; %d embedded now, %d were there\n", countsText(s.EmbedCounts), s.Embedded, s.Cached)
	sent := fmt.Sprintf("%s, about %d tokens, %s sent", count.Of(s.Requests, "request", "requests"), s.Tokens, bytesText(s.Bytes))
	if s.Set.Endpoint == "" {
		sent = fmt.Sprintf("about %d tokens, %s, nothing sent", s.Tokens, bytesText(s.Bytes))
	}
	if _, err := fmt.Fprintf(p.stdout, "%s, %.2f s; vectors in %s\n", sent, s.Seconds, visiblePath(s.Store)); err != nil {
		return err
	}
	if s.Paid+s.Interrupted > 0 {
		fmt.Fprintf(p.stdout, "%s may be on the bill without a vector: agenvantage embed log --paid\n", count.Of(s.Paid+s.Interrupted, "text", "texts"))
	}
	if err := p.renderFailures(s.Failed); err != nil {
		return err
	}
	for i, place := range s.Split {
		if i == shownFailures {
			fmt.Fprintf(p.stdout, "  … and %d more: --json lists them all\n", len(s.Split)-i)
			break
		}
		fmt.Fprintf(p.stdout, "  too long, embedded in parts: %s:%d-%d\n", visiblePath(place.Path), place.StartLine, place.EndLine)
	}
	if s.Missing > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("%s got no answer: agenvantage embed run again", count.Of(s.Missing, "chunk", "chunks")))
	}
	p.notes(s.Notes)
	return nil
}

func (p *program) renderEmbedStatus(s app.EmbedStatus) error {
	t := newTable(p.stdout)
	fmt.Fprintf(t, "state\t%s\n", s.State)
	if s.State != app.EmbedOff {
		fmt.Fprintf(t, "model\t%s %s\n", s.Provider, visible(s.Model))
		if s.Set != nil {
			fmt.Fprintf(t, "service\t%s\n", where(s.Set.Endpoint))
			fmt.Fprintf(t, "set\t%s, %d numbers a vector\n", s.Set.Key, s.Set.Dimensions)
		}
		fmt.Fprintf(t, "chunks\t%s\n", countsText(s.EmbedCounts))
		if s.Store != "" {
			fmt.Fprintf(t, "store\t%s, %s, %s\n", visiblePath(s.Store), bytesText(s.StoreBytes), count.Of(len(s.Others), "other set", "other sets"))
		}
		fmt.Fprintf(t, "running\t%s\n", visible(cmp.Or(s.Running, "no")))
		if s.Log != "" {
			fmt.Fprintf(t, "log\t%s: %s\n", visiblePath(s.Log), visible(s.LogTail))
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if err := p.renderFailures(s.Failed); err != nil {
		return err
	}
	p.notes(s.Notes)
	return nil
}

func (p *program) renderEmbedLog(log app.EmbedLog) error {
	if len(log.Entries) == 0 {
		_, err := fmt.Fprintln(p.stdout, "nothing was sent")
		return err
	}
	t := newTable(p.stdout)
	for _, e := range log.Entries {
		state := e.State
		if e.Reason != "" {
			state += ": " + e.Reason
		}
		fmt.Fprintln(t, strings.Join([]string{localTime(e.Sent), e.Purpose, e.Hash, e.Provider, visible(cmp.Or(e.Host, "-")), visible(e.Model),
			fmt.Sprintf("%d tokens", e.Tokens), state}, "\t"))
	}
	return t.Flush()
}

// localTime is a time of the ledger for people.
func localTime(text string) string {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return text
	}
	return t.Local().Format(time.DateTime)
}

func (p *program) embedRemoved(r app.EmbedRemoved, err error, asJSON bool) error {
	switch {
	case err != nil:
		return err
	case asJSON:
		return printJSON(p.stdout, r)
	}
	w := bufio.NewWriter(p.stdout)
	verb := "removed"
	if r.DryRun {
		verb = "would remove"
	}
	switch {
	case r.Store == "":
		fmt.Fprintln(w, "nothing to remove: no vectors are stored")
	case r.Nothing():
		fmt.Fprintf(w, "nothing to remove: %s\n", storeText(r))
	case r.Damaged:
		fmt.Fprintf(w, "removed the store as it was, since it could not be read: %s, %s given back\n", storeText(r), bytesText(r.Bytes))
	default:
		fmt.Fprintf(w, "%s %s, %s, %s and %s of the ledger\n", verb, count.Of(r.Vectors, "vector", "vectors"), count.Of(r.Failures, "refusal", "refusals"),
			count.Of(r.Queries, "question", "questions"), count.Of(r.Entries, "entry", "entries"))
		for _, s := range r.Of {
			fmt.Fprintf(w, "  %s, %s, %s of %s %s, %d numbers a vector\n", count.Of(s.Vectors, "vector", "vectors"), count.Of(s.Failures, "refusal", "refusals"),
				count.Of(s.Queries, "question", "questions"), s.Provider, visible(s.Model), s.Dimensions)
		}
		if !r.DryRun {
			fmt.Fprintf(w, "%s given back; %s\n", bytesText(r.Bytes), storeText(r))
		}
	}
	return w.Flush()
}

// storeText says what became of the file of the vectors.
func storeText(r app.EmbedRemoved) string {
	if r.Files > 0 {
		return fmt.Sprintf("%s is gone, %s", visiblePath(r.Store), count.Of(r.Files, "file", "files"))
	}
	return fmt.Sprintf("%s stays, with %s", visiblePath(r.Store), bytesText(r.StoreBytes))
}
