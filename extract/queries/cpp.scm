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

(function_definition declarator: (function_declarator declarator: (identifier) @name) body: (_) @body) @function.def
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)) body: (_) @body) @function.def
(function_definition declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) body: (_) @body) @function.def
(function_definition declarator: (parenthesized_declarator (function_declarator declarator: (identifier) @name)) body: (_) @body) @function.def

; prototypes; those inside of functions are dropped by the framework
(declaration declarator: (function_declarator declarator: (identifier) @name)) @function.def
(declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @function.def
(declaration declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))) @function.def

(type_definition type: [(struct_specifier body: (_) @body) (union_specifier body: (_) @body)] declarator: (type_identifier) @name) @struct.def
(type_definition type: (enum_specifier body: (_) @body) declarator: (type_identifier) @name) @enum.def
(type_definition declarator: (type_identifier) @name) @type.def
(type_definition declarator: (pointer_declarator declarator: (type_identifier) @name)) @type.def
(type_definition declarator: (array_declarator declarator: (type_identifier) @name)) @type.def
(type_definition declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))) @type.def

(struct_specifier name: (type_identifier) @name body: (_) @body) @struct.def
(union_specifier name: (type_identifier) @name body: (_) @body) @struct.def
(enum_specifier name: (type_identifier) @name body: (_) @body) @enum.def
(enumerator name: (identifier) @name) @constant.def
(field_declaration declarator: (field_identifier) @name) @field.def
(field_declaration declarator: (pointer_declarator declarator: (field_identifier) @name)) @field.def
(field_declaration declarator: (array_declarator declarator: (field_identifier) @name)) @field.def

(translation_unit (declaration declarator: [(identifier) @name
   (pointer_declarator declarator: (identifier) @name)
   (array_declarator declarator: (identifier) @name)
   (init_declarator declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name) (array_declarator declarator: (identifier) @name)])]) @variable.def)
(preproc_ifdef (declaration declarator: [(identifier) @name
   (pointer_declarator declarator: (identifier) @name)
   (array_declarator declarator: (identifier) @name)
   (init_declarator declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name) (array_declarator declarator: (identifier) @name)])]) @variable.def)
(preproc_if (declaration declarator: [(identifier) @name
   (pointer_declarator declarator: (identifier) @name)
   (array_declarator declarator: (identifier) @name)
   (init_declarator declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name) (array_declarator declarator: (identifier) @name)])]) @variable.def)
(preproc_else (declaration declarator: [(identifier) @name
   (pointer_declarator declarator: (identifier) @name)
   (array_declarator declarator: (identifier) @name)
   (init_declarator declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name) (array_declarator declarator: (identifier) @name)])]) @variable.def)
(declaration_list (declaration declarator: [(identifier) @name
   (pointer_declarator declarator: (identifier) @name)
   (array_declarator declarator: (identifier) @name)
   (init_declarator declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name) (array_declarator declarator: (identifier) @name)])]) @variable.def)

(preproc_function_def name: (identifier) @name value: (_)? @body) @macro.def
(preproc_def name: (identifier) @name value: (_)) @macro.def
((preproc_def name: (identifier) @name !value) @macro.def (#not-match? @name "(?i)_(h|hh|hpp|hxx|inc|included)_*$"))

(preproc_include path: (_) @import)
(call_expression function: (identifier) @call)
(call_expression function: (field_expression) @call)
(type_identifier) @type.ref
(call_expression function: (qualified_identifier) @call)
(call_expression function: (template_function name: (identifier) @call))
(base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @inherit)
