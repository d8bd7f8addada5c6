(table . [(bare_key) (dotted_key) (quoted_key)] @name) @section.def
(table_array_element . [(bare_key) (dotted_key) (quoted_key)] @name) @section.def
(document (pair . [(bare_key) (dotted_key) (quoted_key)] @name) @variable.def)
