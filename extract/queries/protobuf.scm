(message (message_name) @name (message_body) @body) @struct.def
(enum (enum_name) @name (enum_body) @body) @enum.def
(service (service_name) @name "{" @body) @interface.def
(rpc (rpc_name) @name) @method.def
(enum_field . (identifier) @name) @constant.def
(field (type) . (identifier) @name) @field.def
(map_field (type) . (identifier) @name) @field.def
(oneof_field (type) . (identifier) @name) @field.def
(oneof . (identifier) @name) @field.def

(import path: (string) @import)
(message_or_enum_type) @type.ref
