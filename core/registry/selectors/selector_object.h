// Selectors and labels as members of objects: a metav1.LabelSelector, or a plain map.
#pragma once

#include <optional>
#include <string>

#include "json/value.h"
#include "registry/selectors/label_selector.h"

namespace tabernetes::registry {

// Prints a LabelSelector: "a=b,c in (x,y),!d" by key. Empty if it is null or selects by nothing;
// nothing if the API would refuse it.
std::optional<std::string> format_label_selector(const json::Value* selector);

// Returns the selector that a LabelSelector stands for; nothing if the API would refuse it.
std::optional<LabelSelector> read_label_selector(const json::Value& selector);

// Prints labels: "a=b,c=d" in the order of these texts. Empty if there are none, and for null.
std::string format_labels(const json::Value* labels);

}  // namespace tabernetes::registry
