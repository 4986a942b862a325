// The context that hooks of kinds need to run without a registry.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <vector>

#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "kinds/core/allocations.h"
#include "registry/kind/strategy.h"

namespace tabernetes::registry::kinds {

// A cluster whose objects of every resource are `stored`.
class HookFixture final : public ObjectReader {
 public:
  json::Value object(std::string_view text) {
    texts_.push_back(std::make_unique<std::string>(text));
    const codec::JsonRead read = codec::read_json(*texts_.back(), arena);
    REQUIRE(read.ok());
    return read.value;
  }
  static std::string text(const json::Value& value) {
    std::string text;
    codec::write_json(value, text);
    return text;
  }

  json::Value find_object(const Resource&, std::string_view, std::string_view name,
                          json::Arena&) const override {
    for (const json::Value& object : stored) {
      const json::Value* metadata = object.find("metadata");
      if (metadata != nullptr && metadata->string_at("name") == name) return object;
    }
    return {};
  }
  void each_object(const Resource&, json::Arena&,
                   const std::function<void(const json::Value&)>& visit) const override {
    for (const json::Value& object : stored) visit(object);
  }
  bool any_record_contains(const Resource&, std::string_view) const override { return true; }

  json::Arena arena;
  std::vector<json::Value> stored;
  Entropy entropy{nullptr, 1};
  std::unique_ptr<KindCache> cache;
  schema::FeatureGates gates;
  HookContext context{arena, Time{}, *this, entropy, cache, gates};

 private:
  std::vector<std::unique_ptr<std::string>> texts_;
};

}  // namespace tabernetes::registry::kinds
