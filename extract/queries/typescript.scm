; inherits: ecmascript
(abstract_class_declaration name: (_) @name body: (class_body) @body) @class.def
(interface_declaration name: (type_identifier) @name body: (_) @body) @interface.def
(type_alias_declaration name: (type_identifier) @name) @type.def
(enum_declaration name: (identifier) @name body: (enum_body) @body) @enum.def
(internal_module name: (_) @name body: (statement_block)? @body) @module.def
(module name: (_) @name body: (statement_block)? @body) @module.def
(function_signature name: (identifier) @name) @function.def
(method_signature name: (_) @name) @method.def
(abstract_method_signature name: (_) @name) @method.def
(property_signature name: (_) @name) @field.def
(public_field_definition name: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @method.def
(public_field_definition name: (_) @name) @field.def
(ambient_declaration (lexical_declaration (variable_declarator name: (identifier) @name) @constant.def))
(ambient_declaration (variable_declaration (variable_declarator name: (identifier) @name) @variable.def))

(extends_clause value: [(identifier) (member_expression)] @inherit)
(extends_type_clause type: [(type_identifier) (nested_type_identifier) (generic_type)] @inherit)
(implements_clause [(type_identifier) (nested_type_identifier) (generic_type)] @implements)
(type_identifier) @type.ref
(nested_type_identifier) @type.ref
(class_heritage (extends_clause value: (_) @inherit))
(enum_body name: (property_identifier) @name) @constant.def
(enum_body (enum_assignment name: (property_identifier) @name) @constant.def)

(import_statement (import_require_clause (identifier) @import.alias source: (string) @import.path))
(export_statement "=" @export.whole (identifier) @export.name)

[(function_type) (constructor_type) (call_signature) (construct_signature) (method_signature) (abstract_method_signature) (function_signature) (index_signature)
 (conditional_type) (type_alias_declaration) (interface_declaration) (class_declaration) (abstract_class_declaration)] @local.scope
(type_parameter name: (type_identifier) @local.name constraint: (constraint (_) @local.type)?)
(mapped_type_clause name: (type_identifier) @local.name)
(index_signature name: (identifier) @local.name)
(infer_type (type_identifier) @local.name)
(required_parameter pattern: (identifier) @local.name type: (type_annotation (_) @local.type)? value: (_)? @local.value)
(optional_parameter pattern: (identifier) @local.name type: (type_annotation (_) @local.type)?)
(required_parameter pattern: (rest_pattern (identifier) @local.name) type: (type_annotation (_) @local.type))
(required_parameter pattern: (object_pattern [(shorthand_property_identifier_pattern) @local.name @local.member (object_assignment_pattern left: (shorthand_property_identifier_pattern) @local.name @local.member)])
  type: (type_annotation (_) @local.type))
(required_parameter pattern: (object_pattern (pair_pattern key: (property_identifier) @local.member value: (identifier) @local.name)) type: (type_annotation (_) @local.type))
(required_parameter (accessibility_modifier) pattern: (identifier) @attribute.name type: (type_annotation (_) @local.type)?)
(variable_declarator name: (identifier) @local.name type: (type_annotation (_) @local.type)? value: (_)? @local.value)
((call_expression function: (member_expression object: (_) @local.element property: (property_identifier) @_method)
   arguments: (arguments . [(arrow_function parameters: (formal_parameters . (required_parameter pattern: (identifier) @local.name !type))) (arrow_function parameter: (identifier) @local.name)]))
  (#any-of? @_method "map" "forEach" "filter" "find" "some" "every" "flatMap" "findIndex" "findLast"))
((call_expression function: (member_expression object: (_) @local.value property: (property_identifier) @_method)
   arguments: (arguments . [(arrow_function parameters: (formal_parameters . (required_parameter pattern: (identifier) @local.name !type))) (arrow_function parameter: (identifier) @local.name)]))
  (#eq? @_method "then"))

(function_declaration name: (identifier) @name return_type: (type_annotation (_) @symbol.type)) @function.def
(function_signature name: (identifier) @name return_type: (type_annotation (_) @symbol.type)) @function.def
(variable_declarator name: (identifier) @name value: [(arrow_function return_type: (type_annotation (_) @symbol.type)) (function_expression return_type: (type_annotation (_) @symbol.type))]) @function.def
(method_definition name: (_) @name return_type: (type_annotation (_) @symbol.type)) @method.def
[(method_signature name: (_) @name return_type: (type_annotation (_) @symbol.type)) (abstract_method_signature name: (_) @name return_type: (type_annotation (_) @symbol.type))] @method.def
(property_signature name: (_) @name type: (type_annotation (_) @symbol.type)) @field.def
(public_field_definition name: (_) @name type: (type_annotation (_) @symbol.type)) @field.def
(public_field_definition name: (_) @name value: (_) @symbol.value) @field.def
(type_alias_declaration name: (type_identifier) @name value: (_) @symbol.type) @type.def
(program (lexical_declaration (variable_declarator name: (identifier) @name type: (type_annotation (_) @symbol.type)) @variable.def))
(program (variable_declaration (variable_declarator name: (identifier) @name type: (type_annotation (_) @symbol.type)) @variable.def))
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @name type: (type_annotation (_) @symbol.type)) @variable.def)))
