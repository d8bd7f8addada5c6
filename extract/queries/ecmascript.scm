; What JavaScript and TypeScript share; no language of its own.

; "export", "default", "async" and "const" stand on the line of a declaration: the framework reads them from there.
(function_declaration name: (identifier) @name body: (statement_block) @body) @function.def
(generator_function_declaration name: (identifier) @name body: (statement_block) @body) @function.def
(class_declaration name: (_) @name body: (class_body) @body) @class.def
(variable_declarator name: (identifier) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)]) @function.def
(variable_declarator name: (identifier) @name value: (class body: (class_body) @body)) @class.def
(variable_declarator name: (identifier) @name
  value: (call_expression arguments: (arguments . [(arrow_function body: (_) @body) (function_expression body: (_) @body)]))) @function.def
(program (lexical_declaration "const" (variable_declarator name: (identifier) @name) @constant.def))
(program (lexical_declaration (variable_declarator name: (identifier) @name) @variable.def))
(program (variable_declaration (variable_declarator name: (identifier) @name) @variable.def))
(program (export_statement (lexical_declaration "const" (variable_declarator name: (identifier) @name) @constant.def)))
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @variable.def)))
(program (export_statement (variable_declaration (variable_declarator name: (identifier) @name) @variable.def)))

(method_definition name: (_) @name body: (statement_block) @body) @method.def
(pair key: [(property_identifier) (string)] @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)]) @function.def

; Type.prototype.x = function, x.y = function, exports.x = …
(expression_statement (assignment_expression
  left: (member_expression object: (member_expression object: (identifier) @scope property: (property_identifier) @_prototype) property: (property_identifier) @name)
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)])
  (#eq? @_prototype "prototype")) @method.def
(expression_statement (assignment_expression
  left: (member_expression object: (identifier) @scope property: (property_identifier) @name)
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)])
  (#not-any-of? @scope "exports" "module" "window" "global" "globalThis" "self")) @function.def
(expression_statement (assignment_expression left: (member_expression property: (property_identifier) @name) right: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)])) @function.def
(expression_statement (assignment_expression left: (identifier) @name right: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)])) @function.def
(program (expression_statement (assignment_expression left: (member_expression object: (_) @_target property: (property_identifier) @name)) @variable.def)
  (#any-of? @_target "exports" "module.exports"))

(import_statement source: (string) @import)
(export_statement source: (string) @import)
(call_expression function: (identifier) @_require arguments: (arguments . (string) @import) (#eq? @_require "require"))
(call_expression function: (import) arguments: (arguments . (string) @import))
(call_expression function: [(identifier) (member_expression)] @call)
(new_expression constructor: [(identifier) (member_expression)] @call)
