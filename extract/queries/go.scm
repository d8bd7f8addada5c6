(function_declaration name: (identifier) @name body: (block)? @body) @function.def

(method_declaration
  receiver: (parameter_list) @scope
  name: (field_identifier) @name
  body: (block)? @body) @method.def

; variables, constants and fields inside of functions are dropped by the framework
(type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body)) @struct.def
(type_spec name: (type_identifier) @name type: (interface_type "{" @body)) @interface.def
(type_spec name: (type_identifier) @name) @type.def
(type_alias name: (type_identifier) @name) @type.def
(const_spec name: (identifier) @name) @constant.def
(var_spec name: (identifier) @name) @variable.def
(field_declaration name: (field_identifier) @name) @field.def
(method_elem name: (field_identifier) @name) @method.def

(field_declaration !name type: (_) @inherit)
(interface_type (type_elem . [(type_identifier) (qualified_type)] @inherit .))

(import_spec path: (_) @import)
((call_expression function: [(identifier) (selector_expression)] @call)
  (#not-any-of? @call "append" "len" "cap" "make" "new" "panic" "copy" "delete" "close" "recover" "print" "println" "min" "max"
    "clear" "string" "byte" "int" "int64" "uint64" "uint32" "float64" "rune" "uint8" "int32" "uint"))
(call_expression function: (parenthesized_expression (selector_expression) @call))
((type_identifier) @type.ref
  (#not-any-of? @type.ref "string" "int" "error" "byte" "bool" "any" "rune" "int64" "int32" "int16" "int8" "uint" "uint64"
    "uint32" "uint16" "uint8" "uintptr" "float64" "float32" "complex128" "complex64" "comparable"))
