(impl_item body: (declaration_list (function_item name: (identifier) @name return_type: (_)? @symbol.type body: (block) @body) @method.def))
(function_item name: (identifier) @name return_type: (_)? @symbol.type body: (block) @body) @function.def
(function_signature_item name: (identifier) @name return_type: (_)? @symbol.type) @function.def
(struct_item name: (type_identifier) @name body: (_)? @body) @struct.def
(union_item name: (type_identifier) @name body: (_)? @body) @struct.def
(enum_item name: (type_identifier) @name body: (_) @body) @enum.def
(enum_variant name: (identifier) @name) @constant.def
(trait_item name: (type_identifier) @name body: (_) @body) @trait.def
(mod_item name: (identifier) @name body: (_) @body) @module.def
(type_item name: (type_identifier) @name type: (_) @symbol.type) @type.def
(associated_type name: (type_identifier) @name) @type.def
(const_item name: (identifier) @name type: (_) @symbol.type) @constant.def
(static_item name: (identifier) @name type: (_) @symbol.type) @variable.def
(macro_definition name: (identifier) @name) @macro.def
(field_declaration name: (field_identifier) @name type: (_) @symbol.type) @field.def

(impl_item type: [(type_identifier) @name (generic_type type: (type_identifier) @name) (scoped_type_identifier name: (type_identifier) @name)
  (generic_type type: (scoped_type_identifier name: (type_identifier) @name)) (reference_type (type_identifier) @name)] body: (_) @body) @container.def

(use_declaration argument: (_) @import)
(extern_crate_declaration name: (identifier) @import)
(call_expression function: [(identifier) (field_expression) (scoped_identifier)] @call)
(call_expression function: (generic_function function: [(identifier) (scoped_identifier) (field_expression)] @call))
(macro_invocation macro: [(identifier) (scoped_identifier)] @call)
(impl_item trait: [(type_identifier) (scoped_type_identifier) (generic_type)] @implements)
(trait_item bounds: (trait_bounds [(type_identifier) (scoped_type_identifier) (generic_type)] @inherit))
(type_identifier) @type.ref
(scoped_type_identifier) @type.ref

(use_declaration (visibility_modifier)? @import.exported argument: (_) @import.path)
(mod_item (visibility_modifier)? @import.exported name: (identifier) @import.path !body)
(extern_crate_declaration name: (identifier) @import.path alias: (identifier)? @import.alias)

[(block) (closure_expression) (match_arm) (for_expression) (if_expression) (while_expression)] @local.scope
(parameter pattern: [(identifier) @local.name (mut_pattern (identifier) @local.name)] type: (_) @local.type)
(let_declaration pattern: (identifier) @local.name type: (_)? @local.type value: (_)? @local.value)
(let_condition pattern: (tuple_struct_pattern . (identifier) . (identifier) @local.name) value: (_) @local.element)
(for_expression pattern: (identifier) @local.name value: (_) @local.element)
[(closure_parameters (identifier) @local.name) (tuple_pattern (identifier) @local.name) (field_pattern (shorthand_field_identifier) @local.name)
 (captured_pattern . (identifier) @local.name) (ref_pattern (identifier) @local.name) (reference_pattern (identifier) @local.name) (mut_pattern (identifier) @local.name)]
([(tuple_struct_pattern (identifier) @local.name) (match_pattern . (identifier) @local.name) (field_pattern pattern: (identifier) @local.name)
  (or_pattern (identifier) @local.name) (slice_pattern (identifier) @local.name)] (#match? @local.name "^[a-z_]"))

(field_expression) @use
[(arguments (identifier) @use) (binary_expression (identifier) @use) (reference_expression (identifier) @use) (return_expression (identifier) @use)
 (let_declaration value: (identifier) @use) (field_initializer value: (identifier) @use) (assignment_expression (identifier) @use) (match_expression value: (identifier) @use)
 (match_pattern (identifier) @use) (index_expression (identifier) @use) (block (identifier) @use) (array_expression (identifier) @use) (tuple_expression (identifier) @use)
 (unary_expression (identifier) @use) (type_cast_expression value: (identifier) @use) (range_expression (identifier) @use)]
[(arguments (scoped_identifier) @use) (binary_expression (scoped_identifier) @use) (reference_expression (scoped_identifier) @use) (return_expression (scoped_identifier) @use)
 (let_declaration value: (scoped_identifier) @use) (field_initializer value: (scoped_identifier) @use) (assignment_expression (scoped_identifier) @use) (match_expression value: (scoped_identifier) @use)
 (match_pattern (scoped_identifier) @use) (index_expression (scoped_identifier) @use) (block (scoped_identifier) @use) (array_expression (scoped_identifier) @use) (tuple_expression (scoped_identifier) @use)
 (unary_expression (scoped_identifier) @use) (type_cast_expression value: (scoped_identifier) @use) (range_expression (scoped_identifier) @use)]
(field_expression value: (scoped_identifier) @use)
(tuple_struct_pattern type: [(scoped_identifier) (identifier)] @use)
(struct_pattern type: (scoped_type_identifier) @use)
