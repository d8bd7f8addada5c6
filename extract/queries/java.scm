(class_declaration name: (identifier) @name body: (_) @body) @class.def
(record_declaration name: (identifier) @name body: (_) @body) @class.def
(interface_declaration name: (identifier) @name body: (_) @body) @interface.def
(annotation_type_declaration name: (identifier) @name body: (_) @body) @interface.def
(enum_declaration name: (identifier) @name body: (_) @body) @enum.def
(enum_constant name: (identifier) @name body: (_)? @body) @constant.def
(method_declaration name: (identifier) @name body: (_)? @body) @method.def
(constructor_declaration name: (identifier) @name body: (_) @body) @method.def
(compact_constructor_declaration name: (identifier) @name body: (_) @body) @method.def
(annotation_type_element_declaration name: (identifier) @name) @method.def
((field_declaration (modifiers) @_m declarator: (variable_declarator name: (identifier) @name)) @constant.def (#match? @_m "static[\\s\\S]*final|final[\\s\\S]*static"))
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @field.def
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @constant.def

(import_declaration [(scoped_identifier) (identifier)] @import)
(method_invocation name: (identifier) @call)
(object_creation_expression type: [(type_identifier) (scoped_type_identifier) (generic_type)] @call)
(superclass [(type_identifier) (scoped_type_identifier) (generic_type)] @inherit)
(super_interfaces (type_list [(type_identifier) (scoped_type_identifier) (generic_type)] @implements))
(extends_interfaces (type_list [(type_identifier) (scoped_type_identifier) (generic_type)] @inherit))
(marker_annotation name: (_) @type.ref)
(annotation name: (_) @type.ref)
(type_identifier) @type.ref
