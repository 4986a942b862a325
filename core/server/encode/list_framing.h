// The framing of a collection: the text around and between its items, in each encoding.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "json/value.h"
#include "server/request/negotiation.h"

namespace tabernetes::server {

// The items are written one after another: indented by 2 levels in JSON, as entries of a top-level
// sequence in YAML, unchanged otherwise.
struct CollectionText {
  std::string before, after;
  std::string_view between;
};

// Returns the framing of `collection`, a tree with an empty array of items or rows, for `count` >=
// 1 items. Not for protobuf, which writes sizes before the items.
CollectionText list_framing(const Representation& form, const json::Value& collection,
                            std::size_t count);

}  // namespace tabernetes::server
