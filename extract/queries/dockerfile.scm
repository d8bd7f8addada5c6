; A stage is named by its alias, or by its image when it has none.
(from_instruction as: (image_alias) @name) @rule.def
(from_instruction (image_spec name: (image_name) @name) .) @rule.def
(arg_instruction name: (_) @name) @variable.def
(env_instruction (env_pair name: (_) @name)) @variable.def

(from_instruction (image_spec) @import)
