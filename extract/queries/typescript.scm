; inherits: ecmascript
(abstract_class_declaration name: (_) @name body: (class_body) @body) @class.def
(interface_declaration name: (type_identifier) @name body: (_) @body) @interface.def
(type_alias_declaration name: (type_identifier) @name) @type.def
(enum_declaration name: (identifier) @name body: (enum_body) @body) @enum.def
(internal_module name: (_) @name body: (statement_block)? @body) @module.def
(module name: (_) @name body: (statement_block)? @body) @module.def
(function_signature name: (identifier) @name) @function.def
(method_signature name: (_) @name) @method.def
(abstract_method_signature name: (_) @name) @method.def
(property_signature name: (_) @name) @field.def
(public_field_definition name: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @method.def
(public_field_definition name: (_) @name) @field.def
(ambient_declaration (lexical_declaration (variable_declarator name: (identifier) @name) @constant.def))
(ambient_declaration (variable_declaration (variable_declarator name: (identifier) @name) @variable.def))

(extends_clause value: [(identifier) (member_expression)] @inherit)
(extends_type_clause type: [(type_identifier) (nested_type_identifier) (generic_type)] @inherit)
(implements_clause [(type_identifier) (nested_type_identifier) (generic_type)] @implements)
(type_identifier) @type.ref
