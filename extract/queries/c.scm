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
