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
(call_expression function: (super) @call)
(decorator [(identifier) (member_expression)] @call)
[(identifier) (member_expression) (shorthand_property_identifier)] @use

; What imports bind and exports offer.
(import_statement (import_clause (identifier) @import.alias @import.default) source: (string) @import.path)
(import_statement (import_clause (namespace_import (identifier) @import.alias)) source: (string) @import.path)
(import_statement (import_clause (named_imports (import_specifier name: (_) @import.name !alias))) source: (string) @import.path)
(import_statement (import_clause (named_imports (import_specifier name: (_) @import.name alias: (_) @import.alias))) source: (string) @import.path)
(import_statement . (string) @import.path)
(export_statement (export_clause (export_specifier name: (_) @import.name !alias)) source: (string) @import.path @import.exported)
(export_statement (export_clause (export_specifier name: (_) @import.name alias: (_) @import.alias)) source: (string) @import.path @import.exported)
(export_statement "*" @import.all source: (string) @import.path @import.exported)
(export_statement (namespace_export (_) @import.alias) source: (string) @import.path @import.exported)
(export_statement (export_clause (export_specifier name: (_) @export.name !alias)) !source)
(export_statement (export_clause (export_specifier name: (_) @export.name alias: (_) @export.alias)) !source)
(export_statement "default" @export.default value: (identifier) @export.name)
(export_statement "default" @export.default declaration: (_ name: (_) @export.name))

((variable_declarator name: (identifier) @import.alias value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.path)))
  (#eq? @_require "require"))
((variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @import.name)
   value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.path)))
  (#eq? @_require "require"))
((variable_declarator name: (object_pattern (pair_pattern key: (property_identifier) @import.name value: (identifier) @import.alias))
   value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.path)))
  (#eq? @_require "require"))
((variable_declarator name: (identifier) @import.alias
   value: (member_expression object: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.path)) property: (property_identifier) @import.name))
  (#eq? @_require "require"))
((assignment_expression left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
   right: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.path @import.all @import.exported)))
  (#eq? @_module "module") (#eq? @_exports "exports") (#eq? @_require "require"))
((call_expression function: (identifier) @_require arguments: (arguments . (string) @import.path))
  (#eq? @_require "require"))
(variable_declarator name: (identifier) @import.alias value: (await_expression (call_expression function: (import) arguments: (arguments . (string) @import.path))))
(variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @import.name)
  value: (await_expression (call_expression function: (import) arguments: (arguments . (string) @import.path))))
(call_expression function: (import) arguments: (arguments . (string) @import.path))

((assignment_expression left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports) right: (identifier) @export.name @export.whole)
  (#eq? @_module "module") (#eq? @_exports "exports"))
((assignment_expression left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
   right: (object (shorthand_property_identifier) @export.name))
  (#eq? @_module "module") (#eq? @_exports "exports"))
((assignment_expression left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
   right: (object (pair key: (property_identifier) @export.alias value: (identifier) @export.name)))
  (#eq? @_module "module") (#eq? @_exports "exports"))
((assignment_expression left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
   right: (new_expression constructor: (identifier) @export.name @export.whole))
  (#eq? @_module "module") (#eq? @_exports "exports"))
((variable_declarator name: (identifier) @export.name @export.whole value: (assignment_expression left: [(identifier) (member_expression)] @_exports))
  (#any-of? @_exports "exports" "module.exports"))
((assignment_expression left: (member_expression object: (identifier) @_exports property: (property_identifier) @export.alias) right: (identifier) @export.name)
  (#eq? @_exports "exports"))

; Scopes and local names.
[(arrow_function) (function_expression) (generator_function) (statement_block) (for_statement) (for_in_statement) (catch_clause) (class_static_block) (switch_body)] @local.scope
(arrow_function parameter: (identifier) @local.name)
(catch_clause parameter: (identifier) @local.name)
[(rest_pattern (identifier) @local.name) (array_pattern (identifier) @local.name) (assignment_pattern left: (identifier) @local.name) (pair_pattern value: (identifier) @local.name)
 (shorthand_property_identifier_pattern) @local.name (function_expression name: (identifier) @local.name) (class name: (_) @local.name)]
(for_in_statement left: (identifier) @local.name)
(for_in_statement left: (identifier) @local.name operator: "of" right: (_) @local.element)
(variable_declarator name: (object_pattern [(shorthand_property_identifier_pattern) @local.name @local.member (object_assignment_pattern left: (shorthand_property_identifier_pattern) @local.name @local.member)]) value: (_) @local.value)
(variable_declarator name: (object_pattern (pair_pattern key: (property_identifier) @local.member value: (identifier) @local.name)) value: (_) @local.value)
((assignment_expression left: (member_expression object: (this) property: (property_identifier) @attribute.name) right: (_) @local.value))

; What a function without a written result gives back.
(function_declaration name: (identifier) @name body: (statement_block (return_statement (_) @symbol.result))) @function.def
(variable_declarator name: (identifier) @name value: (arrow_function body: [(call_expression) (new_expression) (await_expression)] @symbol.result)) @function.def
(variable_declarator name: (identifier) @name value: [(arrow_function body: (statement_block (return_statement (_) @symbol.result)))
  (function_expression body: (statement_block (return_statement (_) @symbol.result)))]) @function.def
(method_definition name: (_) @name body: (statement_block (return_statement (_) @symbol.result))) @method.def
(program (lexical_declaration (variable_declarator name: (identifier) @name value: (_) @symbol.value) @variable.def))
(program (variable_declaration (variable_declarator name: (identifier) @name value: (_) @symbol.value) @variable.def))
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @name value: (_) @symbol.value) @variable.def)))
(program (export_statement (lexical_declaration (variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @name) value: (_)) @constant.def)))
(program (expression_statement (assignment_expression left: (member_expression object: (_) @_target property: (property_identifier) @name) right: (_) @symbol.value) @variable.def)
  (#any-of? @_target "exports" "module.exports"))
