// One kind in a registry of its own, for tests of its row.
#pragma once

#include <string>
#include <string_view>

#include "../registry_fixture.h"
#include "kinds/kinds.h"
#include "registry/table/table.h"

namespace tabernetes::registry::kinds {

// Writes objects of one resource as its verbs do: decoded, with defaults, checked, stored.
class KindFixture {
 public:
  // REQUIRES: the catalogue has the resource.
  KindFixture(std::string_view group, std::string_view version, std::string_view plural)
      : resource_{group, version, plural}, facts_(*world_.type_of(resource_).resource) {}

  // Stores a new object. Returns why not, or an empty string.
  std::string create(std::string_view text) { return world_.create(resource_, space(), text); }
  // Puts an object in the place of the one with its name. Returns why not, or an empty string.
  std::string update(std::string_view text) { return world_.update(resource_, space(), text); }

  // Returns what the object called `name` has at a path ("spec.driver"), as JSON; empty if it has
  // nothing there.
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
  // Returns the row of the kind; one with nothing in it if it has none.
  const Kind& row() const { return find_kind(facts_.group, facts_.kind); }

 private:
  std::string_view space() const { return facts_.namespaced ? "default" : ""; }

  tests::RegistryFixture world_;
  ObjectReader::Resource resource_;
  const schema::Resource& facts_;
};

}  // namespace tabernetes::registry::kinds
