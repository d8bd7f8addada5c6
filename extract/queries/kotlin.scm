(class_declaration "interface" (type_identifier) @name (class_body)? @body) @interface.def
(class_declaration "enum" (type_identifier) @name (enum_class_body)? @body) @enum.def
(class_declaration (type_identifier) @name (class_body)? @body) @class.def
(object_declaration (type_identifier) @name (class_body)? @body) @module.def
(companion_object (type_identifier) @name (class_body)? @body) @module.def
(type_alias . "typealias" . (type_identifier) @name (type_parameters)? . (_) @symbol.type) @type.def
(type_alias (modifiers) . "typealias" . (type_identifier) @name) @type.def
(enum_entry (simple_identifier) @name) @constant.def

; An extension is qualified by its receiver, which stands right before the name.
(function_declaration [(user_type) (nullable_type)] @scope . (simple_identifier) @name (function_body)? @body) @function.def
(class_body (function_declaration (simple_identifier) @name) @method.def)
(enum_class_body (function_declaration (simple_identifier) @name) @method.def)
(function_declaration (simple_identifier) @name (function_body)? @body) @function.def
(function_declaration (simple_identifier) @name (function_value_parameters) . [(user_type) (nullable_type) (function_type)] @symbol.type) @function.def
(function_declaration (simple_identifier) @name (function_value_parameters) . (function_body . (_) @symbol.result .)) @function.def
(secondary_constructor "constructor" @name (statements)? @body) @method.def

(property_declaration (modifiers (property_modifier) @_const) (variable_declaration (simple_identifier) @name) (#eq? @_const "const")) @constant.def
(source_file (property_declaration [(user_type) (nullable_type)] @scope . (variable_declaration (simple_identifier) @name . [(user_type) (nullable_type) (function_type)]? @symbol.type)) @field.def)
(source_file (property_declaration (variable_declaration (simple_identifier) @name . [(user_type) (nullable_type) (function_type)]? @symbol.type) . (_)? @symbol.value) @variable.def)
(class_body (property_declaration (variable_declaration (simple_identifier) @name . [(user_type) (nullable_type) (function_type)]? @symbol.type) . (_)? @symbol.value) @field.def)
(enum_class_body (property_declaration (variable_declaration (simple_identifier) @name)) @field.def)
(class_parameter (binding_pattern_kind) (simple_identifier) @name . [(user_type) (nullable_type) (function_type)] @symbol.type) @field.def

(import_header (identifier) @import)
(delegation_specifier (constructor_invocation (user_type) @inherit))
(delegation_specifier (user_type) @implements)
(explicit_delegation (user_type) @implements)
(call_expression . [(simple_identifier) (navigation_expression)] @call)
(user_type) @type.ref

(package_header (identifier) @package)
(import_header (identifier) @import.path (wildcard_import)? @import.all (import_alias (type_identifier) @import.alias)?)

[(lambda_literal) (anonymous_function) (for_statement) (control_structure_body) (catch_block) (when_expression) (class_declaration)] @local.scope
(parameter (simple_identifier) @local.name . [(user_type) (nullable_type) (function_type)] @local.type)
(class_parameter (simple_identifier) @local.name . [(user_type) (nullable_type) (function_type)] @local.type)
(property_declaration (variable_declaration (simple_identifier) @local.name . [(user_type) (nullable_type) (function_type)] @local.type))
(property_declaration (variable_declaration . (simple_identifier) @local.name .) . (_)? @local.value)
(multi_variable_declaration (variable_declaration (simple_identifier) @local.name))
(for_statement (variable_declaration (simple_identifier) @local.name) . (_) @local.element)
(lambda_parameters (variable_declaration (simple_identifier) @local.name . [(user_type) (nullable_type) (function_type)]? @local.type))
(catch_block (simple_identifier) @local.name . [(user_type) (nullable_type) (function_type)] @local.type)
(when_subject (variable_declaration (simple_identifier) @local.name) . (_) @local.value)

[(navigation_expression) (callable_reference) (directly_assignable_expression)] @use
[(value_argument (simple_identifier) @use .) (jump_expression (simple_identifier) @use) (assignment (simple_identifier) @use) (equality_expression (simple_identifier) @use)
 (comparison_expression (simple_identifier) @use) (additive_expression (simple_identifier) @use) (multiplicative_expression (simple_identifier) @use)
 (conjunction_expression (simple_identifier) @use) (disjunction_expression (simple_identifier) @use) (elvis_expression (simple_identifier) @use)
 (function_body (simple_identifier) @use) (control_structure_body (simple_identifier) @use) (when_condition (simple_identifier) @use)
 (property_declaration (simple_identifier) @use) (interpolated_identifier) @use (infix_expression (simple_identifier) @use)]
