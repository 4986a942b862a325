// Reads documents in which users write a list of rules.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "json/document_part.h"
#include "tabernetes/expected.h"

namespace tabernetes::codec {

// Calls `read` with each rule ("rules[0]") of a document in YAML or JSON: a list, or an object with
// the list `rules`. Returns the list as compact JSON, "[]" for an empty document. Errors: those of
// the document, and the first of the parts.
Expected<std::string> read_rule_list(std::string_view document,
                                     const std::function<void(const json::DocumentPart&)>& read);

}  // namespace tabernetes::codec
