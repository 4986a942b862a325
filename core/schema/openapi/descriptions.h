// Descriptions of types, fields and parameters for OpenAPI documents. They are not part of the
// program: codec/openapi_texts reads them from a file that the host supplies.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "json/arena.h"
#include "json/value.h"

namespace tabernetes::schema::openapi {

// Immutable: safe to read on any thread.
class Descriptions {
 public:
  Descriptions() = default;  // empty: documents have no descriptions
  // `root` is allocated in `arena`. REQUIRES: it has the form described in codec/openapi_texts.h.
  Descriptions(std::unique_ptr<const json::Arena> arena, json::Value root)
      : arena_(std::move(arena)), root_(root) {}

  bool empty() const { return arena_ == nullptr; }

  // Each returns an empty text if there is no description. The views live as long as this object.
  std::string_view of_type(std::string_view type) const;
  std::string_view of_field(std::string_view type, std::string_view field) const;
  // `name` is v2's name of the parameter, NAME or NAME-SUFFIX.
  std::string_view of_parameter(std::string_view name) const;

 private:
  std::string_view text(const json::Value* number) const;

  std::unique_ptr<const json::Arena> arena_;
  json::Value root_;
};

}  // namespace tabernetes::schema::openapi
