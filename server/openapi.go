package server

// openAPI is the description of the HTTP server, in OpenAPI 3.1. It is made from the table of operations, so that it cannot say
// anything else than what is decoded.
func openAPI(version string, token bool) map[string]any {
	object := func(kv ...any) map[string]any {
		m := map[string]any{}
		for i := 0; i < len(kv); i += 2 {
			m[kv[i].(string)] = kv[i+1]
		}
		return m
	}
	ofJSON := func(schema any) map[string]any { return object("application/json", object("schema", schema)) }
	failure := object("description", "What is wrong, as data.", "content", ofJSON(object("$ref", "#/components/schemas/Error")))
	paths := map[string]any{}
	for _, o := range operations {
		content := ofJSON(o.OutputSchema())
		if o.Name == "search" {
			content["text/event-stream"] = object("schema", object("type", "string", "description", "Events: channel for each retrieval channel as it arrives, then result, or error."))
		}
		paths["/v1/"+o.Name] = object("post", object("operationId", o.Name, "summary", o.About,
			"requestBody", object("required", true, "content", ofJSON(o.InputSchema())),
			"responses", object("200", object("description", "The answer: the JSON of the command line.", "content", content), "default", failure)))
	}
	text := func(about string) map[string]any {
		return object("get", object("summary", about, "responses", object("200", object("description", about), "default", failure)))
	}
	paths["/healthz"], paths["/readyz"], paths["/metrics"], paths["/openapi.json"] = text("The process serves."), text("There is an index to answer from; 503 before."),
		text("Metrics in the text format of Prometheus."), text("This document.")
	paths["/mcp"] = object("post", object("summary", "Model Context Protocol, streamable HTTP transport.", "responses", object("200", object("description", "A message or a stream of them."), "default", failure)))
	errorSchema := object("type", "object", "required", []string{"error"}, "properties", object("error", object("type", "object", "required", []string{"kind", "message"},
		"properties", object("kind", object("type", "string"), "message", object("type", "string")))))
	document := object("openapi", "3.1.0", "info", object("title", "AgenVantage", "version", version, "description", "Evidence for coding agents from one repository or several. Arguments are the long flags of the command line with underscores."),
		"paths", paths, "components", object("schemas", object("Error", errorSchema)))
	if token {
		document["components"].(map[string]any)["securitySchemes"] = object("token", object("type", "http", "scheme", "bearer"))
		document["security"] = []any{object("token", []string{})}
	}
	return document
}
