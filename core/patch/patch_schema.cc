#include "patch/patch_schema.h"

#include <string>

#include "base/text/ascii.h"
#include "schema/go_type.h"

namespace tabernetes::patch {
namespace {

using schema::FieldType;

const schema::Field* find_field(const schema::Type& type, std::string_view name) {
  if (const schema::Field* field = type.find(name)) return field;
  for (const schema::Field* field : type.json_fields()) {
    if (equals_ignoring_case(field->name, name)) return field;
  }
  return nullptr;
}

// Returns the Go struct of a free-form type; empty for a type with fields, or not a struct.
std::string_view opaque_struct(FieldType type) {
  switch (type) {
    case FieldType::kRawExtension:
      return "RawExtension";
    case FieldType::kFieldsV1:
      return "FieldsV1";
    case FieldType::kJson:
      return "JSON";
    case FieldType::kSchemaOrBool:
      return "JSONSchemaPropsOrBool";
    case FieldType::kSchemaOrArray:
      return "JSONSchemaPropsOrArray";
    case FieldType::kSchemaOrStringArray:
      return "JSONSchemaPropsOrStringArray";
    default:
      return {};
  }
}

Failure no_such_field(std::string_view go_struct, std::string_view name) {
  return errors::plain_error("unable to find api field in struct " + std::string(go_struct) +
                             " for the json field \"" + std::string(name) + "\"");
}

// Returns the strategy, ignoring retainKeys.
Strategy strategy_of(const schema::Field& field) {
  const std::string_view text = field.patch_strategy;
  if (text.find("merge") != std::string_view::npos) return Strategy::kMerge;
  if (text.find("replace") != std::string_view::npos) return Strategy::kReplace;
  return Strategy::kDefault;
}

}  // namespace

Result<PatchField> patch_field(const PatchType& of, std::string_view name) {
  if (const std::string_view opaque = opaque_struct(of.type); !opaque.empty()) {
    return no_such_field(opaque, name);
  }
  if (of.type != FieldType::kRef) {
    return errors::plain_error(
        "merging an object in json but data type is not struct, instead is: " +
        std::string(go_kind(of)));
  }
  const schema::Field* field = find_field(*of.ref, name);
  if (field == nullptr) return no_such_field(of.ref->go_name, name);
  const schema::TypeRef& type =
      field->type.type == FieldType::kArray ? *field->type.element : field->type;
  return PatchField{{type.type, type.ref}, strategy_of(*field), field->patch_merge_key};
}

std::string_view go_kind(const PatchType& type) {
  switch (type.type) {
    case FieldType::kArray:
    case FieldType::kBytes:
      return "slice";
    case FieldType::kMap:
      return "map";
    case FieldType::kAny:
      return "interface";
    default: {
      const std::string_view scalar = schema::go_scalar_name(type.type);
      return scalar.empty() ? "struct" : scalar;
    }
  }
}

}  // namespace tabernetes::patch
