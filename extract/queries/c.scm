(function_definition type: (_)? @symbol.type declarator: (function_declarator declarator: (identifier) @name) body: (_) @body) @function.def
(function_definition type: (_)? @symbol.type declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)) body: (_) @body) @function.def
(function_definition type: (_)? @symbol.type declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) body: (_) @body) @function.def
(function_definition type: (_)? @symbol.type declarator: (parenthesized_declarator (function_declarator declarator: (identifier) @name)) body: (_) @body) @function.def

; prototypes; those inside of functions are dropped by the framework
(declaration type: (_)? @symbol.type declarator: (function_declarator declarator: (identifier) @name)) @function.def
(declaration type: (_) @symbol.type declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @function.def
(declaration type: (_) @symbol.type declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))) @function.def

(type_definition type: [(struct_specifier body: (_) @body) (union_specifier body: (_) @body)] declarator: (type_identifier) @name) @struct.def
(type_definition type: (enum_specifier body: (_) @body) declarator: (type_identifier) @name) @enum.def
(type_definition type: [(type_identifier) (struct_specifier !body) (union_specifier !body) (enum_specifier !body) (sized_type_specifier) (primitive_type)] @symbol.type declarator: (type_identifier) @name) @type.def
(type_definition declarator: (type_identifier) @name) @type.def
(type_definition declarator: (pointer_declarator declarator: (type_identifier) @name)) @type.def
(type_definition declarator: (array_declarator declarator: (type_identifier) @name)) @type.def
(type_definition declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))) @type.def

(struct_specifier name: (type_identifier) @name body: (_) @body) @struct.def
(union_specifier name: (type_identifier) @name body: (_) @body) @struct.def
(enum_specifier name: (type_identifier) @name body: (_) @body) @enum.def
(enumerator name: (identifier) @name) @constant.def
(field_declaration type: (_) @symbol.type declarator: (field_identifier) @name) @field.def
(field_declaration type: (_) @symbol.type declarator: (pointer_declarator declarator: (field_identifier) @name)) @field.def
(field_declaration type: (_) @symbol.type declarator: (array_declarator declarator: (field_identifier) @name)) @field.def

(translation_unit (declaration type: (_) @symbol.type declarator: [(identifier) @name
   (pointer_declarator declarator: (identifier) @name)
   (array_declarator declarator: (identifier) @name)
   (init_declarator declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name) (array_declarator declarator: (identifier) @name)])]) @variable.def)
(preproc_ifdef (declaration type: (_) @symbol.type declarator: [(identifier) @name
   (pointer_declarator declarator: (identifier) @name)
   (array_declarator declarator: (identifier) @name)
   (init_declarator declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name) (array_declarator declarator: (identifier) @name)])]) @variable.def)
(preproc_if (declaration type: (_) @symbol.type declarator: [(identifier) @name
   (pointer_declarator declarator: (identifier) @name)
   (array_declarator declarator: (identifier) @name)
   (init_declarator declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name) (array_declarator declarator: (identifier) @name)])]) @variable.def)
(preproc_else (declaration type: (_) @symbol.type declarator: [(identifier) @name
   (pointer_declarator declarator: (identifier) @name)
   (array_declarator declarator: (identifier) @name)
   (init_declarator declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name) (array_declarator declarator: (identifier) @name)])]) @variable.def)
(declaration_list (declaration type: (_) @symbol.type declarator: [(identifier) @name
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

(preproc_include path: (_) @import.path)

[(compound_statement) (for_statement)] @local.scope
(parameter_declaration type: (_) @local.type declarator: [(identifier) @local.name (pointer_declarator declarator: (identifier) @local.name) (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @local.name))
   (array_declarator declarator: (identifier) @local.name)])
((declaration type: (_) @local.type declarator: [(identifier) @local.name (pointer_declarator declarator: (identifier) @local.name) (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @local.name))
   (array_declarator declarator: (identifier) @local.name)
   (init_declarator declarator: [(identifier) @local.name (pointer_declarator declarator: (identifier) @local.name) (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @local.name))
   (array_declarator declarator: (identifier) @local.name)])]) (#not-eq? @local.type "auto"))
(declaration declarator: (init_declarator declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @local.name)))))

(field_expression) @use
[(argument_list (identifier) @use) (binary_expression (identifier) @use) (assignment_expression (identifier) @use) (return_statement (identifier) @use)
 (pointer_expression (identifier) @use) (init_declarator value: (identifier) @use) (initializer_list (identifier) @use) (initializer_pair value: (identifier) @use)
 (subscript_expression (identifier) @use) (case_statement value: (identifier) @use) (conditional_expression (identifier) @use) (unary_expression (identifier) @use)
 (parenthesized_expression (identifier) @use) (update_expression (identifier) @use) (cast_expression value: (identifier) @use)]
