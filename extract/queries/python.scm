(decorated_definition definition: (function_definition name: (identifier) @name body: (block) @body)) @function.def
(decorated_definition definition: (class_definition name: (identifier) @name body: (block) @body)) @class.def
(function_definition name: (identifier) @name body: (block) @body) @function.def
(class_definition name: (identifier) @name body: (block) @body) @class.def

(module (expression_statement (assignment left: [(identifier) @name (pattern_list (identifier) @name)]) @variable.def))
(module [(if_statement consequence: (block (expression_statement (assignment left: (identifier) @name) @variable.def)))
         (try_statement body: (block (expression_statement (assignment left: (identifier) @name) @variable.def)))])
(type_alias_statement . (type) @name) @type.def
(class_definition body: (block (expression_statement (assignment left: (identifier) @name) @field.def)))

(function_definition body: (block . (expression_statement . (string) @doc.string)))
(class_definition body: (block . (expression_statement . (string) @doc.string)))

(import_statement name: (dotted_name) @import)
(import_statement name: (aliased_import name: (dotted_name) @import))
(import_from_statement module_name: (_) @import)
(import_from_statement name: (dotted_name) @type.ref)
(import_from_statement name: (aliased_import name: (dotted_name) @type.ref))
(call function: [(identifier) (attribute)] @call)
(decorator [(identifier) (attribute)] @call)
(class_definition superclasses: (argument_list [(identifier) (attribute)] @inherit))
(class_definition superclasses: (argument_list (subscript value: [(identifier) (attribute)] @inherit)))
(type [(identifier) (attribute)] @type.ref)
(type (subscript value: [(identifier) (attribute)] @type.ref))
(type (generic_type (identifier) @type.ref))
