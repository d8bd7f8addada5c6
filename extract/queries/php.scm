(namespace_definition name: (namespace_name) @name body: (_)? @body) @module.def
(class_declaration name: (name) @name body: (_) @body) @class.def
(interface_declaration name: (name) @name body: (_) @body) @interface.def
(trait_declaration name: (name) @name body: (_) @body) @trait.def
(enum_declaration name: (name) @name body: (_) @body) @enum.def
(enum_case name: (name) @name) @constant.def

(function_definition name: (name) @name return_type: (_)? @symbol.type body: (_) @body) @function.def
(method_declaration name: (name) @name return_type: (_)? @symbol.type body: (_)? @body) @method.def
(const_declaration (const_element . (name) @name)) @constant.def
((function_call_expression function: (name) @_define arguments: (arguments . (argument (string (string_content) @name)))) @constant.def
  (#eq? @_define "define"))
(property_declaration type: (_)? @symbol.type (property_element (variable_name (name) @name))) @field.def
(property_promotion_parameter name: (variable_name (name) @name)) @field.def

(namespace_use_clause [(qualified_name) (name)] @import)
(namespace_use_group_clause (namespace_name) @import)
(namespace_use_declaration (namespace_name) @import (namespace_use_group))
(require_expression [(string) @import (binary_expression right: (string) @import)])
(require_once_expression [(string) @import (binary_expression right: (string) @import)])
(include_expression [(string) @import (binary_expression right: (string) @import)])
(include_once_expression [(string) @import (binary_expression right: (string) @import)])

(class_declaration (base_clause (_) @inherit))
(interface_declaration (base_clause (_) @inherit))
(class_interface_clause (_) @implements)
(use_declaration [(name) (qualified_name)] @implements)

(function_call_expression function: [(name) (qualified_name)] @call)
(member_call_expression object: (_) @on name: (name) @call)
(nullsafe_member_call_expression object: (_) @on name: (name) @call)
(scoped_call_expression scope: (_) @on name: (name) @call)
(scoped_call_expression scope: [(name) (qualified_name)] @type.ref)
(object_creation_expression . [(name) (qualified_name)] @call)
(class_constant_access_expression . [(name) (qualified_name)] @type.ref)
(named_type [(name) (qualified_name)] @type.ref)
(attribute . [(name) (qualified_name)] @type.ref)
(binary_expression operator: "instanceof" right: [(name) (qualified_name)] @type.ref)
[(member_access_expression) (nullsafe_member_access_expression) (class_constant_access_expression) (scoped_property_access_expression)] @use

(namespace_definition name: (namespace_name) @package)
(namespace_use_clause . [(qualified_name) (name)] @import.path (namespace_aliasing_clause (name) @import.alias)?)
(namespace_use_declaration (namespace_name) @import.path (namespace_use_group (namespace_use_group_clause (namespace_name) @import.name (namespace_aliasing_clause (name) @import.alias)?)))

[(anonymous_function_creation_expression) (arrow_function)] @local.scope
[(simple_parameter type: (_)? @local.type name: (variable_name) @local.name) (variadic_parameter type: (_)? @local.type name: (variable_name) @local.name)
 (property_promotion_parameter type: (_)? @local.type name: (variable_name) @local.name)]
(property_promotion_parameter type: (_)? @local.type name: (variable_name (name) @attribute.name))
(assignment_expression left: (variable_name) @local.name right: (_) @local.value)
((assignment_expression left: (member_access_expression object: (variable_name) @_this name: (name) @attribute.name) right: (_) @local.value)
  (#eq? @_this "$this"))
(list_literal (variable_name) @local.name)
(foreach_statement . (_) @local.element . (variable_name) @local.name)
(foreach_statement . (_) @local.element . (pair (_) . (variable_name) @local.name))
(catch_clause type: (type_list . (named_type) @local.type) name: (variable_name) @local.name)
