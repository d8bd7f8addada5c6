; inherits: ecmascript
(class_heritage [(identifier) (member_expression)] @inherit)
(field_definition property: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @method.def
(field_definition property: (_) @name) @field.def
(jsx_opening_element name: [(identifier) (member_expression)] @type.ref)
(jsx_self_closing_element name: [(identifier) (member_expression)] @type.ref)
