(module_declaration name: (upper_case_qid) @name) @module.def
(type_declaration name: (upper_case_identifier) @name) @type.def
(type_alias_declaration name: (upper_case_identifier) @name) @type.def
(union_variant name: (upper_case_identifier) @name) @constant.def
(type_alias_declaration typeExpression: (type_expression part: (record_type fieldType: (field_type name: (lower_case_identifier) @name) @field.def)))
(port_annotation name: (lower_case_identifier) @name) @function.def

; A value of the module with its type annotation, which joins its span. Without arguments it is a constant.
(file (value_declaration functionDeclarationLeft: (function_declaration_left . (lower_case_identifier) @name . pattern: (_)) body: (_) @body) @function.def)
(file (value_declaration functionDeclarationLeft: (function_declaration_left . (lower_case_identifier) @name .) body: (_) @body) @constant.def)
(file (type_annotation) @function.def . (value_declaration functionDeclarationLeft: (function_declaration_left . (lower_case_identifier) @name)))

(import_clause moduleName: (upper_case_qid) @import)
(function_call_expr target: (value_expr name: (value_qid) @call))
(type_ref (upper_case_qid) @type.ref)
