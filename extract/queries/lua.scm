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
((function_call prefix: (identifier) @call . (function_call_paren))
  (#not-match? @call "^\\s*require$"))
(function_call (self_call_colon) . (identifier) @call)
