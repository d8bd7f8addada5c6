; The name stands right after the keyword or after IF NOT EXISTS; a schema qualifies it.
(create_table (object_reference schema: (identifier)? @scope name: (identifier) @name) (column_definitions)? @body) @rule.def
(create_table (column_definitions (column_definition name: (identifier) @name) @field.def))
(create_view (object_reference schema: (identifier)? @scope name: (identifier) @name) (create_query)? @body) @rule.def
(create_materialized_view (object_reference schema: (identifier)? @scope name: (identifier) @name) (create_query)? @body) @rule.def
(create_index column: [(identifier) (literal)] @name) @rule.def
(create_sequence (object_reference schema: (identifier)? @scope name: (identifier) @name)) @rule.def
(create_trigger (keyword_trigger) . (object_reference name: (identifier) @name)) @rule.def
(create_schema (identifier) @name) @module.def
(create_type (object_reference schema: (identifier)? @scope name: (identifier) @name)) @type.def
(create_function (keyword_function) . (object_reference schema: (identifier)? @scope name: (identifier) @name) (function_body)? @body) @function.def

(relation (object_reference) @type.ref)
(from (object_reference) @type.ref)
(insert (object_reference) @type.ref)
(alter_table (object_reference) @type.ref)
(create_index (object_reference) @type.ref)
(create_trigger (keyword_on) . (object_reference) @type.ref)
(create_trigger (keyword_execute) (object_reference) @call .)
(column_definition (keyword_references) . (object_reference) @type.ref)
(constraint (keyword_references) . (object_reference) @type.ref)
(invocation (object_reference) @call)
