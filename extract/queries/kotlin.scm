(class_declaration "interface" (type_identifier) @name (class_body)? @body) @interface.def
(class_declaration "enum" (type_identifier) @name (enum_class_body)? @body) @enum.def
(class_declaration (type_identifier) @name (class_body)? @body) @class.def
(object_declaration (type_identifier) @name (class_body)? @body) @module.def
(companion_object (type_identifier) @name (class_body)? @body) @module.def
(type_alias . "typealias" . (type_identifier) @name) @type.def
(type_alias (modifiers) . "typealias" . (type_identifier) @name) @type.def
(enum_entry (simple_identifier) @name) @constant.def

; An extension is qualified by its receiver, which stands right before the name.
(function_declaration [(user_type) (nullable_type)] @scope . (simple_identifier) @name (function_body)? @body) @function.def
(class_body (function_declaration (simple_identifier) @name) @method.def)
(enum_class_body (function_declaration (simple_identifier) @name) @method.def)
(function_declaration (simple_identifier) @name (function_body)? @body) @function.def
(secondary_constructor "constructor" @name (statements)? @body) @method.def

(property_declaration (modifiers (property_modifier) @_const) (variable_declaration (simple_identifier) @name) (#eq? @_const "const")) @constant.def
(source_file (property_declaration [(user_type) (nullable_type)] @scope . (variable_declaration (simple_identifier) @name)) @field.def)
(source_file (property_declaration (variable_declaration (simple_identifier) @name)) @variable.def)
(class_body (property_declaration (variable_declaration (simple_identifier) @name)) @field.def)
(enum_class_body (property_declaration (variable_declaration (simple_identifier) @name)) @field.def)
(class_parameter (binding_pattern_kind) (simple_identifier) @name) @field.def

(import_header (identifier) @import)
(delegation_specifier (constructor_invocation (user_type) @inherit))
(delegation_specifier (user_type) @implements)
(explicit_delegation (user_type) @implements)
(call_expression . [(simple_identifier) (navigation_expression)] @call)
(user_type) @type.ref
