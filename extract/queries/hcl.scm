; resource "aws_instance" "web" is web, qualified by aws_instance, as expressions name it; for data they say data first.
(config_file (body (block . (identifier) @scope . (string_lit (template_literal) @scope) . (string_lit (template_literal) @name) . (block_start) @body (#eq? @scope "data")) @rule.def))
(config_file (body (block . (identifier) . (string_lit (template_literal) @scope) . (string_lit (template_literal) @name) . (block_start) @body) @rule.def))
; variable "x" and output "x"; then provider "x", module "x", …
(config_file (body (block . (identifier) @scope . (string_lit (template_literal) @name) . (block_start) @body (#any-of? @scope "variable" "output")) @variable.def))
(config_file (body (block . (identifier) @scope . (string_lit (template_literal) @name) . (block_start) @body) @rule.def))
(config_file (body (block . (identifier) @name . (block_start) @body) @rule.def))
(config_file (body (block . (identifier) @_locals (body (attribute . (identifier) @name) @variable.def) (#eq? @_locals "locals"))))
(config_file (body (attribute . (identifier) @name) @variable.def))

(config_file (body (block . (identifier) @_module (body (attribute . (identifier) @_source (expression (literal_value (string_lit (template_literal) @import))))) (#eq? @_module "module") (#eq? @_source "source"))))
(function_call . (identifier) @call)
(expression . (variable_expr) . (get_attr)) @type.ref
