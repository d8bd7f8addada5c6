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

((call method: (_) @call)
  (#not-any-of? @call "require" "require_relative" "include" "extend" "prepend" "attr_reader" "attr_writer" "attr_accessor" "alias_method" "define_method" "private" "protected" "public"))
(scope_resolution scope: (_) name: (constant)) @type.ref
(call receiver: (constant) @type.ref)
(argument_list (constant) @type.ref)
(exceptions (constant) @type.ref)
