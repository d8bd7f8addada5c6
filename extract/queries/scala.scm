(package_object name: (_) @name body: (_)? @body) @module.def
(object_definition name: (identifier) @name body: (_)? @body) @module.def
(class_definition name: (identifier) @name body: (_)? @body) @class.def
(trait_definition name: (identifier) @name body: (_)? @body) @trait.def
(enum_definition name: (identifier) @name body: (_)? @body) @enum.def
(simple_enum_case name: (identifier) @name) @constant.def
(full_enum_case name: (identifier) @name) @constant.def
(type_definition name: (type_identifier) @name type: (_)? @symbol.type) @type.def

; An extension method is qualified by the type that it extends.
(extension_definition parameters: (parameters (parameter type: (_) @scope)) body: (function_definition name: (_) @name body: (_)? @body) @method.def)
(template_body (function_definition name: (_) @name) @method.def)
(with_template_body (function_definition name: (_) @name) @method.def)
(enum_body (function_definition name: (_) @name) @method.def)
(function_declaration name: (_) @name return_type: (_)? @symbol.type) @method.def
(function_definition name: (_) @name return_type: (_)? @symbol.type body: (_)? @body) @function.def
(function_definition name: (_) @name !return_type body: (_) @symbol.result) @function.def
(given_definition name: (identifier) @name return_type: (_)? @symbol.type body: (_)? @body) @variable.def

(template_body (val_definition pattern: (identifier) @name type: (_)? @symbol.type value: (_)? @symbol.value) @field.def)
(template_body (var_definition pattern: (identifier) @name type: (_)? @symbol.type value: (_)? @symbol.value) @field.def)
(template_body (val_definition pattern: (tuple_pattern (identifier) @name)) @field.def)
(val_declaration name: (identifier) @name type: (_)? @symbol.type) @field.def
(var_declaration name: (identifier) @name) @field.def
(compilation_unit (val_definition pattern: (identifier) @name type: (_)? @symbol.type value: (_)? @symbol.value) @variable.def)
(compilation_unit (var_definition pattern: (identifier) @name) @variable.def)
(class_definition "case" class_parameters: (class_parameters (class_parameter name: (identifier) @name type: (_) @symbol.type) @field.def))
(class_parameter ["val" "var"] name: (identifier) @name type: (_) @symbol.type) @field.def

(import_declaration) @import
(extends_clause . type: (_) @inherit)
(extends_clause (_) [(type_identifier) (generic_type) (stable_type_identifier)] @implements)
(call_expression function: [(identifier) (field_expression)] @call)
(call_expression function: (generic_function function: [(identifier) (field_expression)] @call))
(instance_expression . [(type_identifier) (generic_type) (stable_type_identifier)] @call)
(type_identifier) @type.ref

(package_clause name: (_) @package)
(import_declaration) @import.path

[(block) (lambda_expression) (case_clause) (for_expression) (class_definition) (template_body)] @local.scope
(parameter name: (identifier) @local.name type: (_)? @local.type)
(class_parameter name: (identifier) @local.name type: (_) @local.type)
(val_definition pattern: (identifier) @local.name type: (_)? @local.type value: (_)? @local.value)
(var_definition pattern: (identifier) @local.name type: (_)? @local.type value: (_)? @local.value)
[(val_definition pattern: (tuple_pattern (identifier) @local.name)) (lambda_expression parameters: (identifier) @local.name)]
(binding name: (identifier) @local.name type: (_)? @local.type)
(enumerator . (identifier) @local.name "<-" (_) @local.element)
(enumerator . (identifier) @local.name "=" (_) @local.value)
(typed_pattern pattern: (identifier) @local.name type: (_) @local.type)
(capture_pattern name: (identifier) @local.name)
([(case_class_pattern pattern: (identifier) @local.name) (tuple_pattern (identifier) @local.name) (case_clause pattern: (identifier) @local.name)
  (infix_pattern (identifier) @local.name)] (#match? @local.name "^[a-z]"))

(field_expression) @use
[(arguments (identifier) @use) (infix_expression (identifier) @use) (assignment_expression (identifier) @use) (block (identifier) @use) (case_clause body: (identifier) @use)
 (val_definition value: (identifier) @use) (function_definition body: (identifier) @use) (lambda_expression (identifier) @use) (parenthesized_expression (identifier) @use)
 (tuple_expression (identifier) @use) (match_expression value: (identifier) @use) (enumerator (identifier) @use) (interpolation (identifier) @use)
 (case_class_pattern type: (type_identifier) @use) (case_clause pattern: (stable_identifier) @use)]
