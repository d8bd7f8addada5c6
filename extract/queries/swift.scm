(class_declaration declaration_kind: "class" name: (type_identifier) @name body: (_) @body) @class.def
(class_declaration declaration_kind: "actor" name: (type_identifier) @name body: (_) @body) @class.def
(class_declaration declaration_kind: "struct" name: (type_identifier) @name body: (_) @body) @struct.def
(class_declaration declaration_kind: "enum" name: (type_identifier) @name body: (_) @body) @enum.def
(class_declaration declaration_kind: "extension" name: (_) @name) @container.def
(protocol_declaration name: (type_identifier) @name body: (_) @body) @interface.def

(protocol_function_declaration name: [(simple_identifier) (custom_operator)] @name) @method.def
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @field.def
(associatedtype_declaration name: (type_identifier) @name) @type.def
(typealias_declaration name: (type_identifier) @name . (_)? @symbol.type) @type.def

; Naming the field or the body of a function_declaration makes this query take half a minute to compile.
(class_body (function_declaration (simple_identifier) @name) @method.def)
(enum_class_body (function_declaration (simple_identifier) @name) @method.def)
(function_declaration [(simple_identifier) (custom_operator)] @name) @function.def
(init_declaration "init" @name (function_body)? @body) @method.def
(deinit_declaration "deinit" @name body: (_) @body) @method.def
(subscript_declaration "subscript" @name (computed_property)? @body) @method.def
(macro_declaration (simple_identifier) @name) @macro.def
(operator_declaration (custom_operator) @name) @constant.def

(source_file (property_declaration (value_binding_pattern mutability: "let") name: (pattern bound_identifier: (simple_identifier) @name)) @constant.def)
(source_file (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @variable.def)
(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name) computed_value: (_)? @body) @field.def)
(enum_class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name) computed_value: (_)? @body) @field.def)
(enum_entry name: (simple_identifier) @name) @constant.def

(import_declaration (identifier) @import)
(class_declaration declaration_kind: "class" (inheritance_specifier inherits_from: (_) @inherit))
(class_declaration declaration_kind: ["struct" "enum" "extension" "actor"] (inheritance_specifier inherits_from: (_) @implements))
(protocol_declaration (inheritance_specifier inherits_from: (_) @inherit))
(call_expression . [(simple_identifier) (navigation_expression)] @call)
(user_type) @type.ref

(import_declaration (identifier) @import.path)

[(lambda_literal) (if_statement) (for_statement) (while_statement) (switch_entry) (catch_block) (statements) (init_declaration) (subscript_declaration)] @local.scope
(parameter (simple_identifier) @local.name . [(user_type) (optional_type) (array_type) (dictionary_type) (function_type) (tuple_type) (existential_type) (opaque_type)] @local.type)
; What a name is given is read from the text behind it (swift_given.go): patterns that name the fields of a declaration take seconds to compile.
[(if_statement bound_identifier: (simple_identifier) @local.name) (guard_statement bound_identifier: (simple_identifier) @local.name)
 (lambda_parameter (simple_identifier) @local.name) (pattern bound_identifier: (simple_identifier) @local.name) (pattern (pattern . (simple_identifier) @local.name .))]

(navigation_expression) @use
[(value_argument value: (simple_identifier) @use) (control_transfer_statement (simple_identifier) @use) (assignment (simple_identifier) @use) (directly_assignable_expression (simple_identifier) @use)
 (equality_expression (simple_identifier) @use) (comparison_expression (simple_identifier) @use) (additive_expression (simple_identifier) @use) (statements (simple_identifier) @use)
 (if_statement condition: (simple_identifier) @use) (guard_statement condition: (simple_identifier) @use)
 (nil_coalescing_expression (simple_identifier) @use) (conjunction_expression (simple_identifier) @use) (interpolated_expression (simple_identifier) @use)]
