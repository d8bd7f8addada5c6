; templates widen the range of what they declare
(template_declaration (class_specifier name: (_) @name body: (_) @body)) @class.def
(template_declaration (struct_specifier name: (_) @name body: (_) @body)) @struct.def
(template_declaration (function_definition declarator: (function_declarator declarator: (identifier) @name) body: (_) @body)) @function.def
(template_declaration (function_definition declarator: (function_declarator declarator: (qualified_identifier) @name) body: (_) @body)) @method.def
(template_declaration (function_definition declarator: (reference_declarator (function_declarator declarator: (_) @name)) body: (_) @body)) @function.def
(template_declaration (declaration declarator: (function_declarator declarator: (identifier) @name))) @function.def
(template_declaration (alias_declaration name: (type_identifier) @name)) @type.def
(template_declaration (concept_definition name: (identifier) @name)) @type.def

(class_specifier name: (_) @name body: (_) @body) @class.def
(namespace_definition name: (_) @name body: (_) @body) @module.def
(alias_declaration name: (type_identifier) @name) @type.def
(concept_definition name: (identifier) @name) @type.def

; members; a qualified name is cut into scope and name by the framework
(function_definition declarator: (function_declarator declarator: (field_identifier) @name)) @method.def
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (field_identifier) @name))) @method.def
(function_definition declarator: (function_declarator declarator: [(operator_name) (destructor_name)] @name)) @method.def
(function_definition declarator: (operator_cast) @name) @method.def
(function_definition declarator: (function_declarator declarator: (qualified_identifier) @name) body: (_) @body) @method.def
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (qualified_identifier) @name)) body: (_) @body) @method.def
(function_definition declarator: (reference_declarator (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name)] @name)) body: (_) @body) @method.def
(function_definition declarator: (function_declarator declarator: (qualified_identifier) @name)) @method.def
(field_declaration declarator: (function_declarator declarator: (field_identifier) @name)) @method.def
(field_declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (field_identifier) @name))) @method.def
(field_declaration declarator: (reference_declarator (function_declarator declarator: [(field_identifier) (operator_name)] @name))) @method.def
(field_declaration declarator: (function_declarator declarator: (operator_name) @name)) @method.def
(declaration declarator: (reference_declarator (function_declarator declarator: (identifier) @name))) @function.def
(field_declaration declarator: (reference_declarator (field_identifier) @name)) @field.def

; inherits: c
(call_expression function: (qualified_identifier) @call)
(call_expression function: (template_function name: (identifier) @call))
(base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @inherit)
