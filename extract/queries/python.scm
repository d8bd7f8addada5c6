(decorated_definition definition: (function_definition name: (identifier) @name body: (block) @body)) @function.def
(decorated_definition definition: (class_definition name: (identifier) @name body: (block) @body)) @class.def
(function_definition name: (identifier) @name return_type: (_)? @symbol.type body: (block) @body) @function.def
(class_definition name: (identifier) @name body: (block) @body) @class.def

(module (expression_statement (assignment left: (identifier) @name type: (_)? @symbol.type right: (_)? @symbol.value) @variable.def))
(module (expression_statement (assignment left: (pattern_list (identifier) @name)) @variable.def))
(module [(if_statement consequence: (block (expression_statement (assignment left: (identifier) @name right: (_)? @symbol.value) @variable.def)))
         (try_statement body: (block (expression_statement (assignment left: (identifier) @name right: (_)? @symbol.value) @variable.def)))])
(type_alias_statement . (type) @name) @type.def
(class_definition body: (block (expression_statement (assignment left: (identifier) @name type: (_)? @symbol.type right: (_)? @symbol.value) @field.def)))

(function_definition body: (block . (expression_statement . (string) @doc.string)))
(class_definition body: (block . (expression_statement . (string) @doc.string)))

(import_statement name: (dotted_name) @import)
(import_statement name: (aliased_import name: (dotted_name) @import))
(import_from_statement module_name: (_) @import)
(import_from_statement name: (dotted_name) @type.ref)
(import_from_statement name: (aliased_import name: (dotted_name) @type.ref))
(call function: [(identifier) (attribute)] @call)
(decorator [(identifier) (attribute)] @call)
(class_definition superclasses: (argument_list [(identifier) (attribute)] @inherit))
(class_definition superclasses: (argument_list (subscript value: [(identifier) (attribute)] @inherit)))
(type [(identifier) (attribute)] @type.ref)
(type (subscript value: [(identifier) (attribute)] @type.ref))
(type (generic_type (identifier) @type.ref))
(type (string (string_content) @type.ref) (#match? @type.ref "^[A-Za-z_][A-Za-z0-9_.]*$"))

(import_statement name: (dotted_name) @import.path)
(import_statement name: (aliased_import name: (dotted_name) @import.path alias: (identifier) @import.alias))
(import_from_statement module_name: (_) @import.path name: (dotted_name) @import.name)
(import_from_statement module_name: (_) @import.path name: (aliased_import name: (dotted_name) @import.name alias: (identifier) @import.alias))
(import_from_statement module_name: (_) @import.path (wildcard_import) @import.all)

[(lambda) (list_comprehension) (set_comprehension) (dictionary_comprehension) (generator_expression)] @local.scope
(parameters (identifier) @local.name)
(lambda_parameters (identifier) @local.name)
(typed_parameter . (identifier) @local.name type: (_) @local.type)
(default_parameter name: (identifier) @local.name)
(typed_default_parameter name: (identifier) @local.name type: (_) @local.type)
[(list_splat_pattern (identifier) @local.name) (dictionary_splat_pattern (identifier) @local.name)]
(assignment left: (identifier) @local.name type: (_)? @local.type right: (_)? @local.value)
(assignment left: [(pattern_list (identifier) @local.name) (tuple_pattern (identifier) @local.name)])
(assignment left: (attribute object: (identifier) @_self attribute: (identifier) @attribute.name) type: (_)? @local.type right: (_)? @local.value
  (#any-of? @_self "self" "cls"))
(named_expression name: (identifier) @local.name value: (_) @local.value)
(for_statement left: (identifier) @local.name right: (_) @local.element)
(for_in_clause left: (identifier) @local.name right: (_) @local.element)
[(for_statement left: (pattern_list (identifier) @local.name)) (for_in_clause left: (pattern_list (identifier) @local.name))
 (for_statement left: (tuple_pattern (identifier) @local.name)) (for_in_clause left: (tuple_pattern (identifier) @local.name))]
(with_item value: (as_pattern . (_) @local.value alias: (as_pattern_target (identifier) @local.name)))
(except_clause (as_pattern . (tuple) alias: (as_pattern_target (identifier) @local.name)))
(except_clause (as_pattern . [(identifier) (attribute)] @local.type alias: (as_pattern_target (identifier) @local.name)))

(attribute) @use
[(argument_list (identifier) @use) (keyword_argument value: (identifier) @use) (list (identifier) @use) (tuple (identifier) @use)
 (set (identifier) @use) (pair (identifier) @use) (comparison_operator (identifier) @use) (binary_operator (identifier) @use)
 (boolean_operator (identifier) @use) (not_operator (identifier) @use) (unary_operator (identifier) @use) (return_statement (identifier) @use)
 (expression_list (identifier) @use) (assignment right: (identifier) @use) (augmented_assignment (identifier) @use)
 (default_parameter value: (identifier) @use) (typed_default_parameter value: (identifier) @use) (raise_statement (identifier) @use)
 (except_clause (identifier) @use) (as_pattern (identifier) @use) (subscript (identifier) @use) (for_statement right: (identifier) @use)
 (for_in_clause right: (identifier) @use) (conditional_expression (identifier) @use) (if_statement condition: (identifier) @use)
 (if_clause (identifier) @use) (while_statement condition: (identifier) @use) (parenthesized_expression (identifier) @use) (await (identifier) @use)
 (yield (identifier) @use) (lambda body: (identifier) @use) (interpolation (identifier) @use) (dictionary_splat (identifier) @use)
 (list_splat (identifier) @use) (assert_statement (identifier) @use) (expression_statement (identifier) @use)]
