// Package traces tells an OpenTelemetry collector of the calls of a server: a span for each operation, with attributes of the
// project's own. It alone knows the OpenTelemetry SDK. What is asked and what is answered stays out of the spans unless that is asked
// for, and is then masked as the text of an index is. Read Options first, then docs/adr/0020-traces.md.
package traces

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"unicode/utf8"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"agenvantage"
	"agenvantage/scan/redact"
	"agenvantage/server"
)

// prefix is that of all attributes.
const prefix = "agenvantage.context."

// Options say where spans go and what they hold.
type Options struct {
	// Endpoint is the URL of a collector that takes OTLP over HTTP; without a path it is /v1/traces. "" means what the variables
	// OTEL_EXPORTER_OTLP_ENDPOINT and so on say.
	Endpoint string
	Version  string                // of the program
	Content  bool                  // hold questions and answers too, masked and at most MaxContentBytes each
	Count    func(text string) int // tokens; nil leaves them out
	Logger   *slog.Logger          // is told of spans that could not be sent; nil for nobody
}

// MaxContentBytes bounds the text of a question and of an answer in a span.
const MaxContentBytes = 16 << 10

// Tracer implements server.Tracer. Shut it down.
type Tracer struct {
	options  Options
	provider *sdk.TracerProvider
	tracer   trace.Tracer
	headers  propagation.TextMapPropagator
}

// New makes a tracer that sends spans in the background, in batches. An endpoint that is no URL of HTTP is agenvantage.ErrBadInput;
// one that does not answer is no error, then spans are lost.
func New(ctx context.Context, o Options) (*Tracer, error) {
	var export []otlptracehttp.Option
	if o.Endpoint != "" {
		at, err := endpointOf(o.Endpoint)
		if err != nil {
			return nil, err
		}
		export = append(export, otlptracehttp.WithEndpointURL(at))
	}
	exporter, err := otlptracehttp.New(ctx, export...)
	if err != nil {
		return nil, fmt.Errorf("%w: traces: %v", agenvantage.ErrBadInput, err)
	}
	about, err := resource.New(ctx, resource.WithAttributes(attribute.String("service.name", "agenvantage"), attribute.String("service.version", o.Version)),
		resource.WithTelemetrySDK(), resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("%w: traces: OTEL_RESOURCE_ATTRIBUTES: %v", agenvantage.ErrBadInput, err)
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	// The library has one handler for the process, which otherwise writes on standard error by itself.
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { o.Logger.Warn("traces", "error", err) }))
	t := &Tracer{options: o, provider: sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(about)), headers: propagation.TraceContext{}}
	t.tracer = t.provider.Tracer("agenvantage")
	return t, nil
}

// endpointOf completes the URL of a collector.
func endpointOf(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return "", fmt.Errorf("%w: %q is no URL of a collector, such as http://127.0.0.1:4318", agenvantage.ErrBadInput, text)
	}
	if strings.Trim(u.Path, "/") == "" {
		u.Path = "/v1/traces"
	}
	return u.String(), nil
}

// Shutdown sends what has not been sent yet, as far as that comes until the context ends.
func (t *Tracer) Shutdown(ctx context.Context) error { return t.provider.Shutdown(ctx) }

// carrier lets the library read headers.
type carrier func(string) string

func (c carrier) Get(name string) string { return c(name) }
func (c carrier) Set(string, string)     {}
func (c carrier) Keys() []string         { return nil }

// Caller implements server.Tracer by the headers traceparent and tracestate.
func (t *Tracer) Caller(ctx context.Context, header func(string) string) context.Context {
	return t.headers.Extract(ctx, carrier(header))
}

// Begin implements server.Tracer.
func (t *Tracer) Begin(ctx context.Context, operation string) (context.Context, func(server.Traced)) {
	ctx, span := t.tracer.Start(ctx, "agenvantage."+operation, trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(attribute.String(prefix+"operation", operation)))
	return ctx, func(c server.Traced) {
		defer span.End()
		if !span.IsRecording() {
			return
		}
		if t.options.Content {
			span.SetAttributes(attribute.String(prefix+"arguments", masked("arguments.json", "json", string(c.Arguments))))
		}
		if c.Err != nil {
			t.fail(span, c.Err)
			return
		}
		span.SetAttributes(t.attributes(c)...)
	}
}

// fail notes what went wrong. The message of an error may quote what was asked.
func (t *Tracer) fail(span trace.Span, err error) {
	kind := server.ErrorKind(err)
	span.SetAttributes(attribute.String("error.type", kind))
	message := kind
	if t.options.Content {
		message = masked("", "", err.Error())
	}
	span.SetStatus(codes.Error, message)
}

// attributes say what an answer rests on.
func (t *Tracer) attributes(c server.Traced) []attribute.KeyValue {
	a := c.Answer
	list := []attribute.KeyValue{attribute.StringSlice(prefix+"channels", a.Channels), attribute.Int(prefix+"hits", c.Hits), attribute.Int64(prefix+"generation", int64(a.Generation)),
		attribute.Bool(prefix+"stale", a.Stale != ""), attribute.Bool(prefix+"partial", a.Partial != ""), attribute.Int(prefix+"bytes", len(a.Text))}
	if a.Class != "" {
		list = append(list, attribute.String(prefix+"class", a.Class))
	}
	for _, r := range a.Reports {
		at := prefix + "channel." + r.Name + "."
		list = append(list, attribute.String(at+"status", string(r.Status)), attribute.Int(at+"hits", r.Hits), attribute.Float64(at+"took_ms", r.TookMS))
	}
	if t.options.Count != nil {
		list = append(list, attribute.Int(prefix+"tokens", t.options.Count(a.Text)))
	}
	if t.options.Content {
		list = append(list, attribute.String(prefix+"text", masked("", "", a.Text)))
	}
	return list
}

// masked is a text without its secrets, cut at MaxContentBytes: masking comes first, as half a secret may not look like one.
func masked(path, lang, text string) string {
	text, _ = redact.Mask(path, lang, strings.ToValidUTF8(text, "\ufffd"))
	if len(text) <= MaxContentBytes {
		return text
	}
	cut := MaxContentBytes
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut]
}
