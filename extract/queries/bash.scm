(function_definition name: (word) @name body: (_) @body) @function.def

; Variables of the script itself: readonly ones are constants.
(program (declaration_command "readonly" (variable_assignment name: (variable_name) @name)) @constant.def)
(program (declaration_command (word) @_flags (variable_assignment name: (variable_name) @name) (#match? @_flags "^-[a-zA-Z]*r")) @constant.def)
(program (declaration_command (variable_assignment name: (variable_name) @name)) @variable.def)
(program (variable_assignment name: (variable_name) @name) @variable.def)
(program (command name: (command_name (word) @_alias) argument: (concatenation . (word) @name) (#eq? @_alias "alias")) @function.def)

(command name: (command_name (word) @_source) . argument: (_) @import (#any-of? @_source "source" "."))
(command name: (command_name (word) @call) (#not-any-of? @call "source" "." "alias"))
(command name: (command_name (word) @_source) . argument: (_) @import.path (#any-of? @_source "source" "."))
((command name: (command_name (word) @_runs) . argument: (word) @call)
  (#any-of? @_runs "eval" "run" "trap" "time"))
