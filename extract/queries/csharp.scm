(namespace_declaration name: (_) @name body: (_) @body) @module.def
(file_scoped_namespace_declaration name: (_) @name) @module.def
(class_declaration name: (identifier) @name body: (_)? @body) @class.def
(record_declaration "struct" name: (identifier) @name body: (_)? @body) @struct.def
(record_declaration name: (identifier) @name body: (_)? @body) @class.def
(struct_declaration name: (identifier) @name body: (_)? @body) @struct.def
(interface_declaration name: (identifier) @name body: (_)? @body) @interface.def
(enum_declaration name: (identifier) @name body: (_)? @body) @enum.def
(enum_member_declaration name: (identifier) @name) @constant.def
(delegate_declaration name: (identifier) @name) @type.def

(method_declaration name: (identifier) @name body: (_)? @body) @method.def
(constructor_declaration name: (identifier) @name body: (_)? @body) @method.def
(operator_declaration operator: _ @name body: (_)? @body) @method.def
(indexer_declaration "this" @name accessors: (_)? @body) @method.def
(local_function_statement name: (identifier) @name body: (_)? @body) @function.def

(property_declaration name: (identifier) @name accessors: (_)? @body value: (_)? @body) @field.def
(event_declaration name: (identifier) @name accessors: (_)? @body) @field.def
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @field.def
((field_declaration (modifier) @_const (variable_declaration (variable_declarator name: (identifier) @name))) @constant.def
  (#eq? @_const "const"))
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @field.def
(record_declaration (parameter_list (parameter name: (identifier) @name) @field.def))

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
