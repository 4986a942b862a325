// The texts that cells of many kinds share.
// Source: Kubernetes 1.36 printers/internalversion/printers.go, as rules in our notes on tables.
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

// How long ago an RFC 3339 time was: "3m20s"; <unknown> if it is empty or no time.
struct Age {
  std::string text;
  Validity validity;  // the text is the same at all of these times
};
Age age_at(std::string_view rfc3339, Time now);

// From one RFC 3339 time to another; empty if one of them is none.
std::string span_text(std::string_view from, std::string_view to);

// "a=b,c=d" in the order of these texts; <none> if there are no labels (null: none).
std::string labels_text(const json::Value* labels);

// A LabelSelector as most kinds show it: <none> if empty or absent, <error> if invalid.
std::string selector_text(const json::Value* selector);

// Names or images of containers, joined with commas.
std::string container_names(json::Range<json::Value> containers);
std::string container_images(json::Range<json::Value> containers);

// The first `count` texts joined with commas, then " + N more..." for the rest.
std::string join_first(const std::vector<std::string>& texts, std::size_t count);

// The first three of them in that way, or <unset> if that comes to nothing.
std::string first_or_unset(const std::vector<std::string>& texts);

// The strings of a JSON array, joined.
std::string join_strings(json::Range<json::Value> items, std::string_view separator);

// ip, else hostname, of the entries of status.loadBalancer.ingress: sorted, each once.
std::string load_balancer_addresses(const json::Value& object);

}  // namespace tabernetes::registry
