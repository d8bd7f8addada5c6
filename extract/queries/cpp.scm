; templates widen the range of what they declare
(template_declaration (class_specifier name: (_) @name body: (_) @body)) @class.def
(template_declaration (struct_specifier name: (_) @name body: (_) @body)) @struct.def
(template_declaration (function_definition declarator: (function_declarator declarator: (identifier) @name) body: (_) @body)) @function.def
(template_declaration (function_definition type: (_)? @symbol.type declarator: (function_declarator declarator: (qualified_identifier) @name) body: (_) @body)) @method.def
(template_declaration (function_definition type: (_)? @symbol.type declarator: (reference_declarator (function_declarator declarator: (_) @name)) body: (_) @body)) @function.def
(template_declaration (declaration declarator: (function_declarator declarator: (identifier) @name))) @function.def
(template_declaration (alias_declaration name: (type_identifier) @name)) @type.def
(template_declaration (concept_definition name: (identifier) @name)) @type.def

(class_specifier name: (_) @name body: (_) @body) @class.def
(namespace_definition name: (_) @name body: (_) @body) @module.def
(alias_declaration name: (type_identifier) @name type: (_) @symbol.type) @type.def
(concept_definition name: (identifier) @name) @type.def

; members; a qualified name is cut into scope and name by the framework
(function_definition type: (_)? @symbol.type declarator: (function_declarator declarator: (field_identifier) @name)) @method.def
(function_definition type: (_)? @symbol.type declarator: (pointer_declarator declarator: (function_declarator declarator: (field_identifier) @name))) @method.def
(function_definition declarator: (function_declarator declarator: [(operator_name) (destructor_name)] @name)) @method.def
(function_definition declarator: (operator_cast) @name) @method.def
(function_definition type: (_)? @symbol.type declarator: (function_declarator declarator: (qualified_identifier) @name) body: (_) @body) @method.def
(function_definition type: (_)? @symbol.type declarator: (pointer_declarator declarator: (function_declarator declarator: (qualified_identifier) @name)) body: (_) @body) @method.def
(function_definition type: (_)? @symbol.type declarator: (reference_declarator (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name)] @name)) body: (_) @body) @method.def
(function_definition type: (_)? @symbol.type declarator: (function_declarator declarator: (qualified_identifier) @name)) @method.def
(field_declaration type: (_) @symbol.type declarator: (function_declarator declarator: (field_identifier) @name)) @method.def
(field_declaration type: (_) @symbol.type declarator: (pointer_declarator declarator: (function_declarator declarator: (field_identifier) @name))) @method.def
(field_declaration type: (_) @symbol.type declarator: (reference_declarator (function_declarator declarator: [(field_identifier) (operator_name)] @name))) @method.def
(field_declaration type: (_) @symbol.type declarator: (function_declarator declarator: (operator_name) @name)) @method.def
(declaration type: (_) @symbol.type declarator: (reference_declarator (function_declarator declarator: (identifier) @name))) @function.def
(field_declaration type: (_) @symbol.type declarator: (reference_declarator (field_identifier) @name)) @field.def

; inherits: c
(call_expression function: (qualified_identifier) @call)
(call_expression function: (template_function name: (identifier) @call))
(base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @inherit)
(using_declaration "namespace"? @import.all [(qualified_identifier) (identifier)] @import.path)
(namespace_alias_definition name: (_) @import.alias . (_) @import.path)
[(declaration type: (qualified_identifier) @type.ref) (parameter_declaration type: (qualified_identifier) @type.ref) (field_declaration type: (qualified_identifier) @type.ref)
 (function_definition type: (qualified_identifier) @type.ref) (type_descriptor type: (qualified_identifier) @type.ref)]
[(argument_list (qualified_identifier) @use) (binary_expression (qualified_identifier) @use) (assignment_expression right: (qualified_identifier) @use)
 (return_statement (qualified_identifier) @use) (pointer_expression (qualified_identifier) @use) (init_declarator value: (qualified_identifier) @use)
 (case_statement value: (qualified_identifier) @use) (conditional_expression (qualified_identifier) @use) (initializer_list (qualified_identifier) @use)
 (field_expression argument: (qualified_identifier) @use) (cast_expression value: (qualified_identifier) @use)]

[(for_range_loop) (catch_clause) (lambda_expression)] @local.scope
(parameter_declaration type: (_) @local.type declarator: (reference_declarator (identifier) @local.name))
(optional_parameter_declaration type: (_) @local.type declarator: [(identifier) @local.name (pointer_declarator declarator: (identifier) @local.name) (reference_declarator (identifier) @local.name)])
((declaration type: (_) @local.type declarator: (init_declarator declarator: (reference_declarator (identifier) @local.name))) (#not-eq? @local.type "auto"))
(declaration type: (placeholder_type_specifier) declarator: (init_declarator declarator: [(identifier) @local.name (reference_declarator (identifier) @local.name) (pointer_declarator declarator: (identifier) @local.name)] value: (_) @local.value))
(for_range_loop type: (placeholder_type_specifier) declarator: [(identifier) @local.name (reference_declarator (identifier) @local.name) (pointer_declarator declarator: (identifier) @local.name)] right: (_) @local.element)
((for_range_loop type: (_) @local.type declarator: [(identifier) @local.name (reference_declarator (identifier) @local.name) (pointer_declarator declarator: (identifier) @local.name)]) (#not-eq? @local.type "auto"))
