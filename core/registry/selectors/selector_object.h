// Selectors and labels as members of objects: a metav1.LabelSelector, or a map.
#pragma once

#include <optional>
#include <string>

#include "json/value.h"
#include "registry/selectors/label_selector.h"

namespace tabernetes::registry {

// Prints a LabelSelector: "a=b,c in (x,y),!d", sorted by key. Returns an empty text if it is null
// or has no requirements, and nullopt if it is invalid.
std::optional<std::string> format_label_selector(const json::Value* selector);

// Converts a LabelSelector; returns nullopt if it is invalid.
std::optional<LabelSelector> read_label_selector(const json::Value& selector);

// Prints labels: "a=b,c=d", sorted by these texts. Returns an empty text if there are none, or for
// null.
std::string format_labels(const json::Value* labels);

}  // namespace tabernetes::registry
