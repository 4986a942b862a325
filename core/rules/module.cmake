# The language of validation rules and defaults.
tab_module(rules
  SOURCES
    field.cc
    fill.cc
    formats.cc
    internal_form.cc
    name_table.cc
    program.cc
    rules.cc
    webhook_client.cc
  DEPS codec)
