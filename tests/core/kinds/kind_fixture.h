// A registry for tests of one kind.
#pragma once

#include <string>
#include <string_view>

#include "../registry_fixture.h"
#include "kinds/table/kinds.h"
#include "registry/table/table.h"

namespace tabernetes::registry::kinds {

// Writes objects of one resource like its verbs: decodes, defaults, validates and stores them.
class KindFixture {
 public:
  // REQUIRES: the catalogue has the resource.
  KindFixture(std::string_view group, std::string_view version, std::string_view plural)
      : resource_{group, version, plural}, facts_(*world_.type_of(resource_).resource) {}

  // Stores a new object. Returns the error message, or an empty text.
  std::string create(std::string_view text) { return world_.create(resource_, space(), text); }
  // Replaces the object with the same name. Returns the error message, or an empty text.
  std::string update(std::string_view text) { return world_.update(resource_, space(), text); }

  // Returns the value at a path ("spec.driver") of the object `name` as JSON, or an empty text.
  std::string stored(std::string_view name, std::string_view path) {
    return world_.stored(resource_, space(), name, path);
  }
  // Returns the cells of its row in a table, as JSON.
  std::string cells(std::string_view name) {
    const json::Value object = world_.registry.find_object(resource_, space(), name, world_.arena);
    REQUIRE(object.is_object());
    const BuiltInTable printer(facts_.group, facts_.kind);
    const json::Value row = table_row(printer, object, {}, Time{}, world_.arena).value;
    return tests::json_text(*row.find("cells"));
  }
  // Returns the row of the kind; an empty one if it has none.
  const Kind& row() const { return find_kind(facts_.group, facts_.kind); }

 private:
  std::string_view space() const { return facts_.namespaced ? "default" : ""; }

  tests::RegistryFixture world_;
  ObjectReader::Resource resource_;
  const schema::Resource& facts_;
};

}  // namespace tabernetes::registry::kinds
