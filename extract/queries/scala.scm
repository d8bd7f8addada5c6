(package_object name: (_) @name body: (_)? @body) @module.def
(object_definition name: (identifier) @name body: (_)? @body) @module.def
(class_definition name: (identifier) @name body: (_)? @body) @class.def
(trait_definition name: (identifier) @name body: (_)? @body) @trait.def
(enum_definition name: (identifier) @name body: (_)? @body) @enum.def
(simple_enum_case name: (identifier) @name) @constant.def
(full_enum_case name: (identifier) @name) @constant.def
(type_definition name: (type_identifier) @name) @type.def

; An extension method is qualified by the type that it extends.
(extension_definition parameters: (parameters (parameter type: (_) @scope)) body: (function_definition name: (_) @name body: (_)? @body) @method.def)
(template_body (function_definition name: (_) @name) @method.def)
(with_template_body (function_definition name: (_) @name) @method.def)
(enum_body (function_definition name: (_) @name) @method.def)
(function_declaration name: (_) @name) @method.def
(function_definition name: (_) @name body: (_)? @body) @function.def
(given_definition name: (identifier) @name body: (_)? @body) @variable.def

(template_body (val_definition pattern: (identifier) @name) @field.def)
(template_body (var_definition pattern: (identifier) @name) @field.def)
(template_body (val_definition pattern: (tuple_pattern (identifier) @name)) @field.def)
(val_declaration name: (identifier) @name) @field.def
(var_declaration name: (identifier) @name) @field.def
(compilation_unit (val_definition pattern: (identifier) @name) @variable.def)
(compilation_unit (var_definition pattern: (identifier) @name) @variable.def)
(class_definition "case" class_parameters: (class_parameters (class_parameter name: (identifier) @name) @field.def))
(class_parameter ["val" "var"] name: (identifier) @name) @field.def

(import_declaration) @import
(extends_clause . type: (_) @inherit)
(extends_clause (_) [(type_identifier) (generic_type) (stable_type_identifier)] @implements)
(call_expression function: [(identifier) (field_expression)] @call)
(call_expression function: (generic_function function: [(identifier) (field_expression)] @call))
(instance_expression . [(type_identifier) (generic_type) (stable_type_identifier)] @call)
(type_identifier) @type.ref
