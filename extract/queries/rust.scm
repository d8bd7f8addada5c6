(impl_item body: (declaration_list (function_item name: (identifier) @name body: (block) @body) @method.def))
(function_item name: (identifier) @name body: (block) @body) @function.def
(function_signature_item name: (identifier) @name) @function.def
(struct_item name: (type_identifier) @name body: (_)? @body) @struct.def
(union_item name: (type_identifier) @name body: (_)? @body) @struct.def
(enum_item name: (type_identifier) @name body: (_) @body) @enum.def
(enum_variant name: (identifier) @name) @constant.def
(trait_item name: (type_identifier) @name body: (_) @body) @trait.def
(mod_item name: (identifier) @name body: (_) @body) @module.def
(type_item name: (type_identifier) @name) @type.def
(associated_type name: (type_identifier) @name) @type.def
(const_item name: (identifier) @name) @constant.def
(static_item name: (identifier) @name) @variable.def
(macro_definition name: (identifier) @name) @macro.def
(field_declaration name: (field_identifier) @name) @field.def

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
