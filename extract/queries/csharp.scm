(namespace_declaration name: (_) @name body: (_) @body) @module.def
(file_scoped_namespace_declaration name: (_) @name) @module.def
(file_scoped_namespace_declaration name: (_) @package)
(class_declaration name: (identifier) @name body: (_)? @body) @class.def
(record_declaration "struct" name: (identifier) @name body: (_)? @body) @struct.def
(record_declaration name: (identifier) @name body: (_)? @body) @class.def
(struct_declaration name: (identifier) @name body: (_)? @body) @struct.def
(interface_declaration name: (identifier) @name body: (_)? @body) @interface.def
(enum_declaration name: (identifier) @name body: (_)? @body) @enum.def
(enum_member_declaration name: (identifier) @name) @constant.def
(delegate_declaration type: (_) @symbol.type name: (identifier) @name) @type.def

(method_declaration returns: (_) @symbol.type name: (identifier) @name body: (_)? @body) @method.def
(constructor_declaration name: (identifier) @name body: (_)? @body) @method.def
(operator_declaration operator: _ @name body: (_)? @body) @method.def
(indexer_declaration "this" @name accessors: (_)? @body) @method.def
(local_function_statement type: (_) @symbol.type name: (identifier) @name body: (_)? @body) @function.def

(property_declaration type: (_) @symbol.type name: (identifier) @name accessors: (_)? @body value: (_)? @body) @field.def
(event_declaration name: (identifier) @name accessors: (_)? @body) @field.def
(event_field_declaration (variable_declaration type: (_) @symbol.type (variable_declarator name: (identifier) @name))) @field.def
((field_declaration (modifier) @_const (variable_declaration type: (_) @symbol.type (variable_declarator name: (identifier) @name))) @constant.def
  (#eq? @_const "const"))
(field_declaration (variable_declaration type: (_) @symbol.type (variable_declarator name: (identifier) @name))) @field.def
(record_declaration (parameter_list (parameter type: (_) @symbol.type name: (identifier) @name) @field.def))

(using_directive (qualified_name) @import)
(using_directive (identifier) @import .)
((base_list [(identifier) (generic_name) (qualified_name) (primary_constructor_base_type)] @implements)
  (#match? @implements "^([A-Za-z0-9_.]+\\.)?I[A-Z]"))
((base_list [(identifier) (generic_name) (qualified_name) (primary_constructor_base_type)] @inherit)
  (#not-match? @inherit "^([A-Za-z0-9_.]+\\.)?I[A-Z]"))
(invocation_expression function: (generic_name (identifier) @call))
(invocation_expression function: [(identifier) (member_access_expression) (conditional_access_expression)] @call)
(object_creation_expression type: [(identifier) (generic_name) (qualified_name)] @call)

(parameter type: [(identifier) (generic_name) (qualified_name)] @type.ref)
(variable_declaration type: [(identifier) (generic_name) (qualified_name)] @type.ref)
(property_declaration type: [(identifier) (generic_name) (qualified_name)] @type.ref)
(method_declaration returns: [(identifier) (generic_name) (qualified_name)] @type.ref)
(nullable_type type: [(identifier) (generic_name) (qualified_name)] @type.ref)
(array_type type: [(identifier) (generic_name) (qualified_name)] @type.ref)
(type_argument_list [(identifier) (generic_name) (qualified_name)] @type.ref)
(attribute name: (_) @type.ref)

(using_directive "global"? @import.exported name: (identifier)? @import.alias [(qualified_name) (identifier) (alias_qualified_name)] @import.path .)

[(block) (lambda_expression) (anonymous_method_expression) (foreach_statement) (for_statement) (using_statement) (catch_clause) (switch_section)] @local.scope
(parameter type: (_)? @local.type name: (identifier) @local.name)
[(parameter_list name: (identifier) @local.name) (implicit_parameter) @local.name (from_clause name: (identifier) @local.name)]
(variable_declaration type: [(identifier) (generic_name) (qualified_name) (nullable_type) (array_type) (predefined_type) (tuple_type)] @local.type (variable_declarator name: (identifier) @local.name))
(variable_declaration type: (implicit_type) (variable_declarator name: (identifier) @local.name . (_)? @local.value))
(foreach_statement type: (implicit_type) left: (identifier) @local.name right: (_) @local.element)
(foreach_statement type: [(identifier) (generic_name) (qualified_name) (nullable_type) (array_type) (predefined_type)] @local.type left: (identifier) @local.name)
(catch_declaration type: (_) @local.type name: (identifier) @local.name)
[(declaration_pattern type: [(identifier) (generic_name) (qualified_name)] @local.type name: (identifier) @local.name)
 (declaration_expression type: [(identifier) (generic_name) (qualified_name)] @local.type name: (identifier) @local.name)]
[(declaration_expression name: (identifier) @local.name) (var_pattern name: (identifier) @local.name)]

(member_access_expression) @use
[(argument (identifier) @use) (return_statement (identifier) @use) (arrow_expression_clause (identifier) @use) (binary_expression (identifier) @use)
 (assignment_expression right: (identifier) @use) (expression_statement (assignment_expression left: (identifier) @use)) (variable_declarator name: (_) . (identifier) @use)
 (element_access_expression expression: (identifier) @use) (conditional_expression (identifier) @use) (foreach_statement right: (identifier) @use)
 (interpolation (identifier) @use) (prefix_unary_expression (identifier) @use) (postfix_unary_expression (identifier) @use) (cast_expression value: (identifier) @use)
 (parenthesized_expression (identifier) @use) (await_expression (identifier) @use) (if_statement condition: (identifier) @use) (lambda_expression body: (identifier) @use)]
[(cast_expression type: [(identifier) (generic_name) (qualified_name)] @type.ref) (typeof_expression type: [(identifier) (generic_name) (qualified_name)] @type.ref)
 (type_parameter_constraint type: [(identifier) (generic_name) (qualified_name)] @type.ref) (declaration_pattern type: [(identifier) (generic_name) (qualified_name)] @type.ref)
 (catch_declaration type: [(identifier) (qualified_name)] @type.ref)]
