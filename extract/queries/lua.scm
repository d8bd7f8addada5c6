; function M.f(…), function T:m(…), function f(…), local function f(…)
(function_statement name: (function_name . (identifier) @scope (table_colon) . (identifier) @name .) (function_body)? @body) @method.def
(function_statement name: (function_name . ((identifier) @scope . (table_dot))+ . (identifier) @name .) (function_body)? @body) @function.def
(function_statement name: (function_name . (identifier) @name .) (function_body)? @body) @function.def
(function_statement name: (identifier) @name (function_body)? @body) @function.def

; M.f = function(…), local f = function(…), { f = function(…) }
(variable_declaration name: (variable_declarator . (identifier) @scope . (identifier) @name .) value: (function (function_body)? @body)) @function.def
(variable_declaration name: (variable_declarator . (identifier) @name .) value: (function (function_body)? @body)) @function.def
(field name: (identifier) @name value: (function (function_body)? @body)) @function.def

(program (variable_declaration (local) name: (variable_declarator . (identifier) @name .)) @variable.def)
(program (variable_declaration name: (variable_declarator . (identifier) @scope . (identifier) @name .)) @field.def)

((function_call prefix: (identifier) @_require args: (function_arguments . (string) @import))
  (#match? @_require "^\\s*require$"))
((function_call prefix: (identifier) @_require args: (string_argument) @import)
  (#match? @_require "^\\s*require$"))
((function_call . (identifier) @call . [(function_call_paren) (table_argument) (string_argument)])
  (#not-match? @call "^\\s*require$"))
(function_call . (_) @on (identifier) @call . [(function_call_paren) (table_argument) (string_argument)])
[(function_arguments (identifier) @use) (module_return_statement (identifier) @use) (return_statement (identifier) @use)]
(field value: (identifier) @use)

; Modules: what requires bind, what a file returns.
((variable_declaration name: (variable_declarator . (identifier) @import.alias .) value: (function_call prefix: (identifier) @_require args: (function_arguments . (string) @import.path)))
  (#match? @_require "^\\s*require$"))
((variable_declaration name: (variable_declarator . (identifier) @import.alias .) value: (function_call prefix: (identifier) @_require args: (string_argument) @import.path))
  (#match? @_require "^\\s*require$"))
((function_call prefix: (identifier) @_require args: [(function_arguments . (string) @import.path) (string_argument) @import.path])
  (#match? @_require "^\\s*require$"))
(module_return_statement (identifier) @export.name @export.whole)
(module_return_statement (tableconstructor (fieldlist (field name: (identifier) @export.alias value: (identifier) @export.name))))
; A table that looks up in another one.
((field name: (identifier) @_index value: (identifier) @inherit)
  (#eq? @_index "__index"))

[(function) (for_statement) (do_statement) (while_statement) (repeat_statement) (if_statement)] @local.scope
(parameter_list (identifier) @local.name)
(for_generic identifier_list: (identifier_list (identifier) @local.name))
(for_numeric var: (identifier) @local.name)
(variable_declaration (local) name: (variable_declarator . (identifier) @local.name .) value: (_)? @local.value)
((variable_declaration name: (variable_declarator . (identifier) @local.name .) value: (function_call prefix: (identifier) @_setmetatable args: (function_arguments (_) . (identifier) @local.type)))
  (#match? @_setmetatable "^\\s*setmetatable$"))
((function_statement name: (function_name (identifier) @name .) (function_body (return_statement (function_call prefix: (identifier) @_setmetatable args: (function_arguments (_) . (identifier) @symbol.type))))) @function.def
  (#match? @_setmetatable "^\\s*setmetatable$"))
(function_statement name: [(function_name (identifier) @name .) (identifier) @name] (function_body (return_statement (function_call) @symbol.result))) @function.def
(program (variable_declaration . name: (variable_declarator . (identifier) @name .) value: (tableconstructor)) @variable.def)
