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

; imports, references and bindings: go_uses.go
