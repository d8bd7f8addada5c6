package lexical

import (
	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"
)

// guardedPlugin is the engine's format of segments, guarded where goroutines of the engine read mapped files: nobody else could
// recover a fault there.
type guardedPlugin struct{ *zap.ZapPlugin }

// Open implements scorch.SegmentPlugin.
func (p guardedPlugin) Open(path string) (s segment.Segment, err error) {
	err = guarded(func() (err error) { s, err = p.ZapPlugin.Open(path); return err })
	return s, err
}

// OpenUsing implements scorch.SegmentPlugin.
func (p guardedPlugin) OpenUsing(path string, config map[string]any) (s segment.Segment, err error) {
	err = guarded(func() (err error) { s, err = p.ZapPlugin.OpenUsing(path, config); return err })
	return s, err
}

// Merge implements scorch.SegmentPlugin.
func (p guardedPlugin) Merge(segments []segment.Segment, drops []*roaring.Bitmap, path string, stop chan struct{}, stats segment.StatsReporter) (numbers [][]uint64, bytes uint64, err error) {
	err = guardedMerge(stop, func() (err error) {
		numbers, bytes, err = p.ZapPlugin.Merge(segments, drops, path, stop, stats)
		return err
	})
	return numbers, bytes, err
}

// MergeUsing implements scorch.SegmentPlugin.
func (p guardedPlugin) MergeUsing(segments []segment.Segment, drops []*roaring.Bitmap, path string, stop chan struct{}, stats segment.StatsReporter, config map[string]any) (numbers [][]uint64, bytes uint64, err error) {
	err = guardedMerge(stop, func() (err error) {
		numbers, bytes, err = p.ZapPlugin.MergeUsing(segments, drops, path, stop, stats, config)
		return err
	})
	return numbers, bytes, err
}

// guardedMerge is guarded for a merge: one that fails is tried again until it is stopped.
func guardedMerge(stop <-chan struct{}, merge func() error) error {
	return guarded(func() error {
		if isClosed(stop) {
			return segment.ErrClosed
		}
		return merge()
	})
}

func isClosed(stop <-chan struct{}) bool {
	select {
	case <-stop:
		return true
	default:
		return false
	}
}

// registerOnce enters what is ours into the engine's global tables before anything is opened.
func registerOnce() {
	register.Do(func() {
		scorch.RegisterSegmentPlugin(guardedPlugin{&zap.ZapPlugin{}}, true)
		scorch.RegistryAsyncErrorCallbacks[failureCallback] = failedBehind
	})
}
