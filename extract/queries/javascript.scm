; inherits: ecmascript
(class_heritage [(identifier) (member_expression)] @inherit)
(field_definition property: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @method.def
(field_definition property: (_) @name) @field.def
(jsx_opening_element name: [(identifier) (member_expression)] @type.ref)
(jsx_self_closing_element name: [(identifier) (member_expression)] @type.ref)

(formal_parameters (identifier) @local.name)
(variable_declarator name: (identifier) @local.name value: (_)? @local.value)
(field_definition property: (_) @name value: (_) @symbol.value) @field.def
; The parameter of a function that goes through the elements of what it is a method of, or waits for it.
((call_expression function: (member_expression object: (_) @local.element property: (property_identifier) @_method)
   arguments: (arguments . [(arrow_function parameters: (formal_parameters . (identifier) @local.name)) (arrow_function parameter: (identifier) @local.name)
     (function_expression parameters: (formal_parameters . (identifier) @local.name))]))
  (#any-of? @_method "map" "forEach" "filter" "find" "some" "every" "flatMap" "findIndex" "findLast"))
((call_expression function: (member_expression object: (_) @local.value property: (property_identifier) @_method)
   arguments: (arguments . [(arrow_function parameters: (formal_parameters . (identifier) @local.name)) (arrow_function parameter: (identifier) @local.name)]))
  (#eq? @_method "then"))
