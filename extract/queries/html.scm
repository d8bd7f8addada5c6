; An element with an id is a rule; a heading or the title is a section.
((element . (start_tag (attribute . (attribute_name) @_id . [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]) ">" @body)) @rule.def
  (#eq? @_id "id"))
((element . (self_closing_tag (attribute . (attribute_name) @_id . [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]))) @rule.def
  (#eq? @_id "id"))
((element . (start_tag . (tag_name) @_heading) . (text) @name) @section.def
  (#any-of? @_heading "h1" "h2" "h3" "h4" "h5" "h6" "title" "H1" "H2" "H3" "H4" "H5" "H6" "TITLE"))

((script_element . (start_tag (attribute . (attribute_name) @_src . (quoted_attribute_value (attribute_value) @import))))
  (#eq? @_src "src"))
((start_tag . (tag_name) @_link (attribute . (attribute_name) @_href . (quoted_attribute_value (attribute_value) @import)))
  (#eq? @_link "link")
  (#eq? @_href "href"))
((start_tag . (tag_name) @type.ref)
  (#match? @type.ref "-"))
