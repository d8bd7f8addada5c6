(class_definition "interface" name: (identifier) @name body: (_) @body) @interface.def
(class_definition name: (identifier) @name body: (_) @body) @class.def
(function_definition function: (_) @name body: (_) @body) @function.def
(function_declaration function: (_) @name) @function.def

; Gradle: task x { … }, task x(…) { … }, tasks.register('x') { … }. The grammar makes the closure a sibling; it joins the span.
(declaration type: (identifier) @_task name: (identifier) @name (#eq? @_task "task")) @rule.def
(_ (declaration type: (identifier) @_task name: (identifier) @name) . (closure) @rule.def @body (#eq? @_task "task"))
(juxt_function_call function: (identifier) @_task args: (argument_list . (function_call function: (identifier) @name)) (#eq? @_task "task")) @rule.def
(source_file (juxt_function_call function: (identifier) @_task args: (argument_list . (function_call function: (identifier) @name))) . (closure) @rule.def @body (#eq? @_task "task"))
(function_call function: (dotted_identifier) @_register args: (argument_list . (string (string_content) @name)) (#any-of? @_register "tasks.register" "tasks.create")) @rule.def
(source_file (function_call function: (dotted_identifier) @_register args: (argument_list . (string (string_content) @name))) . (closure) @rule.def @body (#any-of? @_register "tasks.register" "tasks.create"))
; A block at the top of a build file: dependencies { … }.
(source_file (juxt_function_call function: (identifier) @name args: (argument_list . (closure) @body .)) @rule.def)

(source_file (declaration name: (identifier) @name) @variable.def)
(source_file (assignment . (identifier) @name) @variable.def)
; "throws X" after a method head parses as a declaration.
(class_definition body: (closure (declaration type: (identifier) @_type name: (identifier) @name) @field.def)
  (#not-eq? @_type "throws"))
(class_definition body: (closure (declaration type: [(builtintype) (array_type) (type_with_generics) "def"] name: (identifier) @name) @field.def))

(groovy_import import: (_) @import)
(class_definition superclass: (_) @inherit)
(function_call function: (_) @call)
(juxt_function_call function: (_) @call)
(declaration type: (identifier) @type.ref)
(parameter type: (identifier) @type.ref)
