; The keys of a document, and below a few well-known ones theirs.
(document (block_node (block_mapping (block_mapping_pair key: (flow_node) @name) @section.def)))
((document (block_node (block_mapping (block_mapping_pair
   key: (flow_node) @_group
   value: (block_node (block_mapping (block_mapping_pair key: (flow_node) @name) @section.def))))))
  (#any-of? @_group "services" "jobs" "paths" "definitions" "components" "networks" "volumes" "tasks" "stages"))
; A list of named things: plays and tasks.
((document (block_node (block_sequence (block_sequence_item (block_node (block_mapping . (block_mapping_pair key: (flow_node) @_name value: (flow_node) @name)))) @section.def)))
  (#eq? @_name "name"))
