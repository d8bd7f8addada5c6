(class_declaration name: (identifier) @name body: (_) @body) @class.def
(record_declaration name: (identifier) @name body: (_) @body) @class.def
(interface_declaration name: (identifier) @name body: (_) @body) @interface.def
(annotation_type_declaration name: (identifier) @name body: (_) @body) @interface.def
(enum_declaration name: (identifier) @name body: (_) @body) @enum.def
(enum_constant name: (identifier) @name body: (_)? @body) @constant.def
(method_declaration type: (_) @symbol.type name: (identifier) @name body: (_)? @body) @method.def
(constructor_declaration name: (identifier) @name body: (_) @body) @method.def
(compact_constructor_declaration name: (identifier) @name body: (_) @body) @method.def
(annotation_type_element_declaration name: (identifier) @name) @method.def
((field_declaration (modifiers) @_m type: (_) @symbol.type declarator: (variable_declarator name: (identifier) @name )) @constant.def (#match? @_m "static[\\s\\S]*final|final[\\s\\S]*static"))
(field_declaration type: (_) @symbol.type declarator: (variable_declarator name: (identifier) @name)) @field.def
(record_declaration parameters: (formal_parameters (formal_parameter type: (_) @symbol.type name: (identifier) @name) @field.def))
(constant_declaration type: (_) @symbol.type declarator: (variable_declarator name: (identifier) @name)) @constant.def

(import_declaration [(scoped_identifier) (identifier)] @import)
(method_invocation object: (_)? @on name: (identifier) @call)
(object_creation_expression type: [(type_identifier) (scoped_type_identifier) (generic_type)] @call)
(superclass [(type_identifier) (scoped_type_identifier) (generic_type)] @inherit)
(super_interfaces (type_list [(type_identifier) (scoped_type_identifier) (generic_type)] @implements))
(extends_interfaces (type_list [(type_identifier) (scoped_type_identifier) (generic_type)] @inherit))
(marker_annotation name: (_) @type.ref)
(annotation name: (_) @type.ref)
(type_identifier) @type.ref
(scoped_type_identifier) @type.ref

(package_declaration [(scoped_identifier) (identifier)] @package)
(import_declaration [(scoped_identifier) (identifier)] @import.path (asterisk)? @import.all)

[(lambda_expression) (block) (for_statement) (enhanced_for_statement) (catch_clause) (try_with_resources_statement)] @local.scope
(formal_parameter type: (_) @local.type name: (identifier) @local.name)
(spread_parameter (variable_declarator name: (identifier) @local.name))
((local_variable_declaration type: (_) @local.type declarator: (variable_declarator name: (identifier) @local.name)) (#not-eq? @local.type "var"))
((local_variable_declaration type: (_) @_var declarator: (variable_declarator name: (identifier) @local.name value: (_) @local.value)) (#eq? @_var "var"))
((enhanced_for_statement type: (_) @local.type name: (identifier) @local.name) (#not-eq? @local.type "var"))
((enhanced_for_statement type: (_) @_var name: (identifier) @local.name value: (_) @local.element) (#eq? @_var "var"))
((resource type: (_) @local.type name: (identifier) @local.name) (#not-eq? @local.type "var"))
((resource type: (_) @_var name: (identifier) @local.name value: (_) @local.value) (#eq? @_var "var"))
(catch_formal_parameter (catch_type . (_) @local.type) name: (identifier) @local.name)
(instanceof_expression right: (_) @local.type name: (identifier) @local.name)
[(inferred_parameters (identifier) @local.name) (lambda_expression parameters: (identifier) @local.name)]

[(field_access) (method_reference)] @use
[(argument_list (identifier) @use) (return_statement (identifier) @use) (assignment_expression (identifier) @use) (binary_expression (identifier) @use)
 (unary_expression (identifier) @use) (update_expression (identifier) @use) (ternary_expression (identifier) @use) (array_access (identifier) @use)
 (parenthesized_expression (identifier) @use) (variable_declarator value: (identifier) @use) (enhanced_for_statement value: (identifier) @use)
 (array_initializer (identifier) @use) (cast_expression value: (identifier) @use) (lambda_expression body: (identifier) @use) (switch_label (identifier) @use)
 (element_value_pair value: (identifier) @use) (throw_statement (identifier) @use)]
