; Everything in Elixir is a call; the keyword decides.
((call
   target: (identifier) @_keyword
   (arguments . (alias) @name)
   (do_block) @body) @module.def
  (#eq? @_keyword "defmodule"))
((call
   target: (identifier) @_keyword
   (arguments . (alias) @name)
   (do_block) @body) @interface.def
  (#eq? @_keyword "defprotocol"))

; defimpl Printable, for: Cart: members belong to Cart. Without "for:" they belong to the module around.
((call
   target: (identifier) @_keyword
   (arguments . (alias) @implements (keywords . (pair key: (keyword) @_for value: (alias) @name)))
   (do_block)) @container.def
  (#eq? @_keyword "defimpl")
  (#match? @_for "^for:"))

; def name(…), def name, def name(…) when …, in each with a do block or a "do:" word.
((call
   target: (identifier) @_keyword
   (arguments . [
     (identifier) @name
     (call target: (identifier) @name)
     (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")
   ])
   (do_block)? @body) @function.def
  (#any-of? @_keyword "def" "defp" "defdelegate"))
((call
   target: (identifier) @_keyword
   (arguments . [
     (identifier) @name
     (call target: (identifier) @name)
     (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")
   ])
   (do_block)? @body) @macro.def
  (#any-of? @_keyword "defmacro" "defmacrop" "defguard" "defguardp"))

((call target: (identifier) @_keyword (arguments (keywords (pair key: (keyword) @name) @field.def)))
  (#eq? @_keyword "defstruct"))
((call target: (identifier) @_keyword (arguments (list (keywords (pair key: (keyword) @name) @field.def))))
  (#any-of? @_keyword "defstruct" "defexception"))
((call target: (identifier) @_keyword (arguments (list (atom) @name @field.def)))
  (#any-of? @_keyword "defstruct" "defexception"))

; Module attributes: types, callbacks, then plain ones as constants.
((unary_operator
   operator: "@"
   operand: (call
     target: (identifier) @_attribute
     (arguments (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "::")))) @type.def
  (#any-of? @_attribute "type" "typep" "opaque"))
((unary_operator
   operator: "@"
   operand: (call
     target: (identifier) @_attribute
     (arguments (binary_operator left: (call target: (identifier) @name) operator: "::")))) @method.def
  (#any-of? @_attribute "callback" "macrocallback"))
((unary_operator operator: "@" operand: (call target: (identifier) @name (arguments))) @constant.def
  (#not-any-of? @name "doc" "moduledoc" "typedoc" "spec" "type" "typep" "opaque" "callback" "macrocallback" "impl" "behaviour" "derive" "enforce_keys" "optional_callbacks" "deprecated" "since" "dialyzer" "compile" "before_compile" "after_compile" "on_load" "on_definition" "external_resource" "tag" "moduletag" "describetag"))
((unary_operator operator: "@" operand: (call target: (identifier) @_attribute (arguments (alias) @implements)))
  (#eq? @_attribute "behaviour"))

; @moduledoc lies inside of its module; @doc and its like stand on the lines above what they describe.
((unary_operator operator: "@" operand: (call target: (identifier) @_attribute (arguments [(string) (sigil)] @doc.string)))
  (#eq? @_attribute "moduledoc"))
((unary_operator operator: "@" operand: (call target: (identifier) @_attribute (arguments [(string) (sigil)]))) @framework.comment
  (#any-of? @_attribute "doc" "typedoc"))
((unary_operator operator: "@" operand: (call target: (identifier) @_attribute)) @framework.prefix
  (#any-of? @_attribute "spec" "impl" "deprecated" "since" "dialyzer" "doc" "tag" "describetag"))

((call target: (identifier) @_keyword (arguments . (alias) @import))
  (#any-of? @_keyword "alias" "import" "require" "use"))
((call target: (identifier) @_keyword (arguments . (dot left: (alias) @import right: (tuple (alias) @import))))
  (#any-of? @_keyword "alias" "import" "require" "use"))

(call target: (dot right: (identifier)) @call (arguments))
((call target: (identifier) @call)
  (#not-any-of? @call "def" "defp" "defmacro" "defmacrop" "defguard" "defguardp" "defdelegate" "defmodule" "defprotocol" "defimpl" "defstruct" "defexception" "alias" "import" "require" "use" "doc" "moduledoc" "typedoc" "spec" "type" "typep" "opaque" "callback" "impl" "behaviour" "if" "unless" "case" "cond" "with" "for" "quote" "unquote" "fn" "try" "receive"))
(struct (alias) @type.ref)

(call target: (dot left: (alias)) @call)
(unary_operator operator: "&" operand: (binary_operator left: (identifier) @call operator: "/"))
[(arguments (alias) @use) (list (alias) @use) (tuple (alias) @use) (pair value: (alias) @use) (binary_operator (alias) @use)]

((call target: (identifier) @_keyword (arguments . [(alias) (dot)] @import.path (keywords (pair key: (keyword) @_as value: (alias) @import.alias))?))
  (#any-of? @_keyword "alias" "require") (#match? @_as "^as:"))
((call target: (identifier) @_keyword (arguments . [(alias) (dot)] @import.path)) @import.all (#eq? @_keyword "import"))
((call target: (identifier) @import.name (arguments . (alias) @import.path)) (#eq? @import.name "use"))
