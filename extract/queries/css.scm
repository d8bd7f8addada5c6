(rule_set (selectors) @name (block) @body) @rule.def
(keyframes_statement (keyframes_name) @name (keyframe_block_list) @body) @rule.def
((declaration . (property_name) @name) @variable.def
  (#match? @name "^--"))

(import_statement (string_value) @import)
(import_statement (call_expression (arguments [(string_value) (plain_value)] @import)))
((call_expression . (function_name) @_var (arguments . (plain_value) @type.ref))
  (#eq? @_var "var"))
