// The schemas that a document refers to: `definitions` of v2, `components.schemas` of v3.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "schema/openapi/descriptions.h"
#include "schema/openapi/dialect.h"
#include "schema/openapi/json_text.h"
#include "schema/schema.h"

namespace tabernetes::schema::openapi {

// Collects the schemas that a document needs, directly and through other schemas.
class Schemas {
 public:
  // REQUIRES: `descriptions` outlives the object. `group` and `version` are those of a v3 document;
  // kinds that belong to every group list them. Without `enums` neither schemas nor descriptions
  // list the values of enumerations.
  Schemas(const Catalogue& catalogue, const Descriptions& descriptions, Dialect dialect,
          std::string_view group = {}, std::string_view version = {}, bool enums = true)
      : catalogue_(catalogue),
        descriptions_(descriptions),
        dialect_(dialect),
        group_(group),
        version_(version),
        enums_(enums) {}

  // Writes "schema":{"$ref":...} and records that the type is needed; without a name, a string's
  // schema.
  void write_schema_member(std::string_view type_name, JsonText& out);

  // Adds the schema of a custom kind or of its list.
  void add(std::string_view name, std::string schema);

  bool empty() const { return schemas_.empty(); }
  // Writes {"NAME":{...},...} sorted by name, with all schemas that they refer to.
  void write(JsonText& out);

 private:
  std::string schema_of(std::string_view name);
  void write_properties(const Type& type, JsonText& out);
  void write_property(const Type& type, const Field& field, JsonText& out);
  void write_own_shape(const TypeRef& ref, std::string_view fallback, JsonText& out);
  void write_element(const TypeRef& ref, JsonText& out);
  void write_reference(std::string_view name, JsonText& out);
  void write_kinds(const Type& type, JsonText& out);
  void write_description(std::string_view text, JsonText& out) const;

  const Catalogue& catalogue_;
  const Descriptions& descriptions_;
  Dialect dialect_;
  std::string_view group_;
  std::string_view version_;
  bool enums_;
  std::map<std::string_view, std::string> schemas_;  // empty: not written yet
  std::vector<std::string_view> waiting_;
};

}  // namespace tabernetes::schema::openapi
