tab_module(json
  SOURCES
    access.cc
    document_part.cc
    duplicates.cc
    encoded_size.cc
    equality.cc
    go_format.cc
    sort_deep.cc
    value.cc
  DEPS base)
