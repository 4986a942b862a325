// components.schemas: a schema for each type that a document speaks of.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "schema/openapi/json_text.h"
#include "schema/schema.h"

namespace tabernetes::schema::openapi {

// The schemas that a document needs: those asked for, and those that they refer to.
class Schemas {
 public:
  // `group` and `version` are the document's: kinds that belong to every group name it.
  Schemas(const Catalogue& catalogue, std::string_view group, std::string_view version)
      : catalogue_(catalogue), group_(group), version_(version) {}

  // Notes that `name` is referred to. Returns it.
  std::string_view need(std::string_view name);

  // Writes {"NAME":{...},...} by name, with everything that is needed on the way.
  void write(JsonText& out);

 private:
  std::string schema_of(std::string_view name);
  void write_properties(const Type& type, JsonText& out);
  void write_property(const Field& field, JsonText& out);
  void write_shape(const TypeRef& ref, JsonText& out);
  void write_reference(std::string_view name, JsonText& out);
  void write_kinds(const Type& type, JsonText& out);

  const Catalogue& catalogue_;
  std::string_view group_;
  std::string_view version_;
  std::map<std::string_view, std::string> schemas_;  // an empty text: not written yet
  std::vector<std::string_view> waiting_;
};

// The name of a type that has an encoding of its own; empty for all others.
std::string_view special_type_name(FieldType type);

}  // namespace tabernetes::schema::openapi
