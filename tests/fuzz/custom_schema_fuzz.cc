// Any schema of a custom resource with any value: a document [schema, value, old value]. A schema
// that the definition's validation accepts can be compiled, and used to prune, default and
// validate; repeating that changes nothing.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "custom/definition/schema_checks.h"
#include "custom/schema/coerce.h"
#include "custom/schema/embedded_objects.h"
#include "custom/schema/value_validation.h"
#include "schema/decode.h"

namespace {

using namespace tabernetes;
using json::Value;
using schema::Structural;

std::string written(const Value& value) {
  std::string text;
  codec::write_json(value, text);
  return text;
}

// `valid`: the definition is valid, so its defaults conform to the schema.
void try_value(const Value& sent, const Value& sent_before, const Structural& schema, bool valid) {
  json::Arena arena;
  Value value = sent.clone(arena), before = sent_before.clone(arena);
  registry::custom::conform(value, schema, arena);
  registry::custom::conform(before, schema, arena, {.stored = true});
  schema::apply_defaults(value, schema, arena);
  const std::string once = written(value);
  registry::custom::conform(value, schema, arena);
  schema::apply_defaults(value, schema, arena);
  if (valid && written(value) != once) std::abort();

  field::ErrorList errors, ratcheted;
  const field::Path root;
  registry::custom::validate_value(value, schema, root, errors);
  registry::custom::validate_value(value, schema, root, ratcheted, {.old = &before});
  if (ratcheted.size() > errors.size()) std::abort();
  registry::custom::validate_lists(value, schema, root, errors);
  registry::custom::validate_embedded(value, schema, schema::Whole::kObject, root, errors);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  json::Arena arena;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto read = codec::read_json(text, arena);
  if (!read.ok() || !read.value.is_array() || read.value.size() < 3) return 0;
  static const schema::Type& props = *schema::Catalogue::built_in().find_type(
      "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps");
  const auto decoded = schema::decode_typed(props, read.value.items()[0], arena);
  if (!decoded.error.empty()) return 0;
  field::ErrorList errors;
  registry::custom::check_schema(registry::validation::Field(decoded.value, errors), size % 2 == 0);
  const auto compiled = schema::StructuralSchema::compile(decoded.value);
  const Value &value = read.value.items()[1], &old = read.value.items()[2];
  if (value.is_object() && old.is_object()) {
    try_value(value, old, compiled->root(), errors.empty());
  }
  return 0;
}
