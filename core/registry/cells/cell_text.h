// The texts of cells that many kinds share. Source: Kubernetes 1.36
// printers/internalversion/printers.go.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "registry/cells/validity.h"
#include "tabernetes/time.h"

namespace tabernetes::registry {

inline constexpr std::string_view kNone = "<none>";
inline constexpr std::string_view kUnset = "<unset>";
inline constexpr std::string_view kUnknown = "<unknown>";

// Returns the age of an RFC 3339 time: "3m20s"; <unknown> if it is empty or invalid.
struct Age {
  std::string text;
  Validity validity;  // the times at which the text is the same
};
Age format_age(std::string_view rfc3339, Time now);

// Returns the duration from one RFC 3339 time to another; empty if one of them is invalid.
std::string format_duration_between(std::string_view from, std::string_view to);

// Returns "a=b,c=d", sorted by these texts; <none> if there are no labels or `labels` is null.
std::string labels_text(const json::Value* labels);

// Returns a LabelSelector as most kinds print it: <none> if empty or null, <error> if invalid.
std::string selector_text(const json::Value* selector);

// Returns the names or images of containers, joined with commas.
std::string container_names(json::Range<json::Value> containers);
std::string container_images(json::Range<json::Value> containers);

// Returns the first `count` texts joined with commas, then " + N more..." for the rest.
std::string join_first(const std::vector<std::string>& texts, std::size_t count);

// Returns join_first() of three, or <unset> if that is empty.
std::string first_or_unset(const std::vector<std::string>& texts);

// Returns the strings of a JSON array, joined.
std::string join_strings(json::Range<json::Value> items, std::string_view separator);

// Returns the `ip`, or else the `hostname`, of each entry of status.loadBalancer.ingress: sorted,
// without duplicates, joined with commas.
std::string load_balancer_addresses(const json::Value& object);

}  // namespace tabernetes::registry
