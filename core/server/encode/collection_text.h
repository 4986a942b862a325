// What stands around the items of a collection, and between them, in each encoding.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "json/value.h"
#include "server/request/negotiation.h"

namespace tabernetes::server {

// The items of a collection are written one after another, each with depth 2 of JSON's indentation,
// as an entry of a top-level sequence of YAML, or as they are.
struct CollectionText {
  std::string before, after;
  std::string_view between;
};

// Of `collection`, a tree with an empty array of items or rows, when it has `count` of them, at
// least one. Not of protobuf, where sizes stand before the items.
CollectionText collection_text(const Representation& form, const json::Value& collection,
                               std::size_t count);

}  // namespace tabernetes::server
