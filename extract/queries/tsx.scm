; inherits: typescript

(jsx_opening_element name: [(identifier) (member_expression)] @type.ref)
(jsx_self_closing_element name: [(identifier) (member_expression)] @type.ref)
