// Checks that the schema accepts its defaults and prunes nothing from them; see schema_checks.h.
#include "custom/definition/schema_checks.h"
#include "custom/schema/cel_rules.h"
#include "custom/schema/coerce.h"
#include "custom/schema/embedded_objects.h"
#include "custom/schema/printed_value.h"
#include "custom/schema/value_validation.h"
#include "json/equality.h"
#include "schema/structural.h"

namespace tabernetes::registry::custom {
namespace {

using json::Value;
using schema::Structural;
using schema::Whole;
using validation::Field;

// A step from an object (the whole one or an embedded resource) to a default in its metadata.
struct Step {
  const Step* before;
  std::string_view name;  // empty: an item of a list
};

class DefaultChecks {
 public:
  // `step` is null for the root; `object` is the schema of the enclosing object with metadata.
  void node(const Field& at, const Structural& schema, const Structural& object, const Step* step,
            bool in_metadata);

 private:
  void check(const Field& at, const Structural& schema, Whole whole);
  void check_in_metadata(const Field& at, const Structural& schema, const Structural& object,
                         const Step* step);
  void values(const Field& at, const Structural& schema, Whole whole);
};

// Validates the default, also with the validation rules of its schema.
void DefaultChecks::values(const Field& at, const Structural& schema, Whole whole) {
  const Field given = at["default"];
  const std::size_t before = given.errors().size();
  validate_value(*given.value(), schema, given.path(), given.errors(), {.of_default = true});
  if (given.errors().size() > before) return;
  const auto rules = CelRules::of_schema(*at.value(), whole == Whole::kObject);
  if (rules) rules->validate_default(*given.value(), schema, given.path(), given.errors());
}

void DefaultChecks::check(const Field& at, const Structural& schema, Whole whole) {
  const Field given = at["default"];
  json::Arena arena;
  Value pruned = given.value()->clone(arena);
  schema::prune(pruned, schema, whole, arena);
  if (!json::deep_equal(pruned, *given.value())) {
    given.invalid_printed(format_value(*given.value()), "must not have unknown fields");
  }
  Value value = given.value()->clone(arena);
  const std::size_t before = given.errors().size();
  if (auto error = coerce_metadata(value, schema, arena, given.path(), {.whole = whole})) {
    given.errors().push_back(std::move(*error));
    return;
  }
  validate_embedded(value, schema, whole, given.path(), given.errors());
  if (given.errors().size() == before) values(at, schema, whole);
}

// Returns the default wrapped in the objects and lists on its path.
Value wrapped_default(Value value, const Step* step, json::Arena& arena) {
  for (; step != nullptr; step = step->before) {
    Value outer = step->name.empty() ? Value::array(arena) : Value::object(arena);
    if (step->name.empty()) {
      outer.push_back(arena, value);
    } else {
      outer.append(arena, step->name, value);
    }
    value = outer;
  }
  if (value.find("kind") == nullptr) value.append(arena, "kind", Value::string("Validation"));
  if (value.find("apiVersion") == nullptr) {
    value.append(arena, "apiVersion", Value::string("validation/v1"));
  }
  return value;
}

void DefaultChecks::check_in_metadata(const Field& at, const Structural& schema,
                                      const Structural& object, const Step* step) {
  const Field given = at["default"];
  json::Arena arena;
  Value whole = wrapped_default(given.value()->clone(arena), step, arena);
  field::ErrorList errors;
  const field::Path root;
  if (auto error = coerce_metadata(whole, object, arena, root, {.whole = Whole::kObject})) {
    errors.push_back(std::move(*error));
  } else {
    validate_embedded(whole, object, Whole::kObject, root, errors);
  }
  if (errors.empty()) return values(at, schema, Whole::kPart);
  given.invalid_printed(format_value(*given.value()),
                        "must result in valid metadata: " + field::aggregate(errors));
}

void DefaultChecks::node(const Field& at, const Structural& schema, const Structural& object,
                         const Step* step, bool in_metadata) {
  if (!schema.has_defaults) return;
  const bool whole = schema.embedded || step == nullptr;
  const Structural& around = whole ? schema : object;
  if (whole) {
    in_metadata = false;
    step = nullptr;
  }
  if (schema.default_value != nullptr) {
    if (in_metadata) {
      check_in_metadata(at, schema, around, step);
    } else {
      check(at, schema, whole ? Whole::kObject : Whole::kPart);
    }
  }
  if (schema.items != nullptr) {
    const Step item{step, {}};
    node(at["items"], *schema.items, around, &item, in_metadata);
  }
  const Field properties = at["properties"];
  for (const schema::StructuralProperty& each : schema.properties) {
    const Step member{step, each.name};
    node(properties.key(each.name), *each.schema, around, &member,
         in_metadata || (whole && schema::is_meta_field(each.name)));
  }
}

}  // namespace

void check_defaults(const Field& schema, const Structural& compiled) {
  DefaultChecks().node(schema, compiled, compiled, nullptr, false);
}

}  // namespace tabernetes::registry::custom
