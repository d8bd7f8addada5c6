; Modules and classes. "class A::B" is B, qualified by A.
(module name: (constant) @name body: (_)? @body) @module.def
(module name: (scope_resolution scope: (_)? @scope name: (constant) @name) body: (_)? @body) @module.def
(class name: (constant) @name body: (_)? @body) @class.def
(class name: (scope_resolution scope: (_)? @scope name: (constant) @name) body: (_)? @body) @class.def
(superclass (_) @inherit)

; Point = Struct.new(:x, :y) do … end
((assignment
   left: (constant) @name
   right: (call receiver: (constant) @_maker method: (identifier) @_new block: (_)? @body)) @class.def
  (#any-of? @_maker "Struct" "Class" "Data")
  (#any-of? @_new "new" "define"))
(assignment left: (constant) @name right: (_) @body) @constant.def

; A def outside of any class is a function.
(program (method name: (_) @name) @function.def)
(method name: (_) @name body: (_)? @body) @method.def
(singleton_method object: (self) name: (_) @name body: (_)? @body) @method.def
(singleton_method object: (constant) @scope name: (_) @name body: (_)? @body) @method.def
(alias name: (_) @name) @method.def
((call method: (identifier) @_maker arguments: (argument_list . (simple_symbol) @name) block: (_)? @body) @method.def
  (#any-of? @_maker "define_method" "alias_method" "define_singleton_method"))
((call method: (identifier) @_accessor arguments: (argument_list (simple_symbol) @name)) @field.def
  (#any-of? @_accessor "attr_reader" "attr_writer" "attr_accessor" "mattr_accessor" "cattr_accessor" "class_attribute"))

((call method: (identifier) @_require arguments: (argument_list . (string) @import))
  (#any-of? @_require "require" "require_relative" "load"))
((call method: (identifier) @_require arguments: (argument_list (_) . (string) @import))
  (#eq? @_require "autoload"))
((call !receiver method: (identifier) @_mixin arguments: (argument_list [(constant) (scope_resolution)] @implements))
  (#any-of? @_mixin "include" "extend" "prepend"))

((call receiver: (_) @on method: (_) @call))
((call !receiver method: (_) @call)
  (#not-any-of? @call "require" "require_relative" "include" "extend" "prepend" "attr_reader" "attr_writer" "attr_accessor" "alias_method" "define_method" "private" "protected" "public"))
(scope_resolution scope: (_) name: (constant)) @type.ref
(call receiver: (constant) @type.ref)
(argument_list (constant) @type.ref)
(exceptions (constant) @type.ref)
[(constant) (scope_resolution)] @use
[(body_statement (identifier) @use) (block_body (identifier) @use) (then (identifier) @use) (else (identifier) @use) (argument_list (identifier) @use)
 (assignment right: (identifier) @use) (operator_assignment right: (identifier) @use) (binary (identifier) @use) (unary (identifier) @use) (interpolation (identifier) @use)
 (array (identifier) @use) (pair value: (identifier) @use) (if condition: (identifier) @use) (unless condition: (identifier) @use) (if_modifier (identifier) @use)
 (unless_modifier (identifier) @use) (conditional (identifier) @use) (parenthesized_statements (identifier) @use) (element_reference (identifier) @use)]

((call method: (identifier) @_require arguments: (argument_list . (string) @import.path))
  (#any-of? @_require "require" "require_relative" "load"))

[(block) (do_block) (lambda)] @local.scope
[(method_parameters (identifier) @local.name) (block_parameters (identifier) @local.name) (lambda_parameters (identifier) @local.name)
 (destructured_parameter (identifier) @local.name) (splat_parameter name: (identifier) @local.name) (hash_splat_parameter name: (identifier) @local.name)
 (block_parameter name: (identifier) @local.name) (keyword_parameter name: (identifier) @local.name) (exception_variable (identifier) @local.name)
 (left_assignment_list (identifier) @local.name) (for pattern: (identifier) @local.name)]
(optional_parameter name: (identifier) @local.name value: (_) @local.value)
(keyword_parameter name: (identifier) @local.name value: (_) @local.value)
(assignment left: (identifier) @local.name right: (_) @local.value)
(operator_assignment left: (identifier) @local.name right: (_) @local.value)
[(assignment left: (instance_variable) @attribute.name right: (_) @local.value) (operator_assignment left: (instance_variable) @attribute.name right: (_) @local.value)]
(rescue exceptions: (exceptions . [(constant) (scope_resolution)] @local.type) variable: (exception_variable (identifier) @local.name))

(method name: (_) @name body: (body_statement (call) @symbol.result .)) @method.def
(singleton_method object: (_) name: (_) @name body: (body_statement (call) @symbol.result .)) @method.def
(assignment left: (constant) @name right: (_) @symbol.value) @constant.def
