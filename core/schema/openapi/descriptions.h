// What documents say in words of types, fields and parameters. The words are not a part of the
// program: codec/openapi_texts reads them from a file that the host gives.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "json/arena.h"
#include "json/value.h"

namespace tabernetes::schema::openapi {

// Never changes: any thread may read it.
class Descriptions {
 public:
  Descriptions() = default;  // of nothing: documents go without
  // `root` lives in `arena`. REQUIRES: it has the form that codec/openapi_texts.h describes.
  Descriptions(std::unique_ptr<const json::Arena> arena, json::Value root)
      : arena_(std::move(arena)), root_(root) {}

  bool empty() const { return arena_ == nullptr; }

  // Each is empty where nothing is said, and lives as long as this object.
  std::string_view of_type(std::string_view type) const;
  std::string_view of_field(std::string_view type, std::string_view field) const;
  // `name`: as v2's document calls it, NAME or NAME-SUFFIX.
  std::string_view of_parameter(std::string_view name) const;

 private:
  std::string_view text(const json::Value* number) const;

  std::unique_ptr<const json::Arena> arena_;
  json::Value root_;
};

}  // namespace tabernetes::schema::openapi
