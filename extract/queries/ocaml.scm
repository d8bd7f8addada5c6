(module_definition (module_binding name: (module_name) @name body: (structure)? @body)) @module.def
(module_type_definition name: (module_type_name) @name body: (_)? @body) @interface.def
(type_binding name: (type_constructor) @name) @type.def
(variant_declaration (constructor_declaration (constructor_name) @name) @constant.def)
(field_declaration (field_name) @name) @field.def
(exception_definition (constructor_declaration (constructor_name) @name)) @type.def

; Bindings of a file or a module, not those inside of an expression. One with parameters, or one that is a "fun", is a function.
(compilation_unit (value_definition (let_binding pattern: [(value_name) (parenthesized_operator)] @name . (parameter) body: (_) @body) @function.def))
(structure (value_definition (let_binding pattern: [(value_name) (parenthesized_operator)] @name . (parameter) body: (_) @body) @function.def))
(compilation_unit (value_definition (let_binding pattern: (value_name) @name body: [(fun_expression) (function_expression)] @body) @function.def))
(structure (value_definition (let_binding pattern: (value_name) @name body: [(fun_expression) (function_expression)] @body) @function.def))
(compilation_unit (value_definition (let_binding pattern: (value_name) @name body: (_) @body) @variable.def))
(structure (value_definition (let_binding pattern: (value_name) @name body: (_) @body) @variable.def))
(external (value_name) @name) @function.def
(value_specification [(value_name) (parenthesized_operator)] @name (function_type)) @function.def
(value_specification [(value_name) (parenthesized_operator)] @name) @variable.def

(class_definition (class_binding name: (class_name) @name body: (_)? @body)) @class.def
(class_type_definition (class_type_binding name: (class_type_name) @name body: (_)? @body)) @interface.def
(method_definition name: (method_name) @name body: (_)? @body) @method.def
(method_specification (method_name) @name) @method.def
(instance_variable_definition name: (instance_variable_name) @name) @field.def

(open_module [(module_path) (extended_module_path)] @import)
(include_module (module_path) @import)
(inheritance_definition (class_path) @inherit)
(application_expression function: (value_path) @call)
(type_constructor_path) @type.ref
