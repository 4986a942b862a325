// What is wrong with the names in definitions, all faults in one text.
#pragma once

#include <string>
#include <string_view>

namespace tabernetes::registry::crd {

// Of a label that begins with a letter; empty: nothing.
std::string label_faults(std::string_view text);
// Of a kind: such a label, but for capitals.
std::string kind_faults(std::string_view text);

}  // namespace tabernetes::registry::crd
