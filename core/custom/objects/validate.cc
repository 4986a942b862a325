#include "custom/objects/validate.h"

#include <limits>
#include <string>

#include "base/go/text.h"
#include "custom/schema/accessor_problem.h"
#include "custom/schema/cel_rules.h"
#include "custom/schema/embedded_objects.h"
#include "custom/schema/value_validation.h"
#include "registry/meta/member_path.h"

namespace tabernetes::registry::custom {
namespace {

using json::Value;

void check_is(std::string_view field, const Value& object, std::string_view wanted,
              field::ErrorList& errors) {
  const std::string_view is = object.string_at(field);
  if (is == wanted) return;
  errors.push_back(field::invalid(field::Path(std::string(field)), go_quote(is),
                                  "must be " + std::string(wanted)));
}

void check_replicas(std::string_view path, const Value& object, field::ErrorList& errors) {
  const Value* value = value_at(object, path);
  if (value == nullptr) return;
  std::string shown = "0";
  std::string problem;
  if (!value->is_int()) {
    problem = replicas_error(path, *value);
  } else if (value->as_int() < 0) {
    problem = "should be a non-negative integer";
  } else if (value->as_int() > std::numeric_limits<std::int32_t>::max()) {
    problem = "should be less than or equal to 2147483647";
  }
  if (problem.empty()) return;
  if (value->is_int()) shown = std::to_string(value->as_int());
  errors.push_back(field::invalid(field::Path(std::string(path)), shown, problem));
}

void check_selector(std::string_view path, const Value& object, field::ErrorList& errors) {
  const Value* value = value_at(object, path);
  if (value == nullptr || value->is_string()) return;
  errors.push_back(field::invalid(field::Path(std::string(path)), "\"\"",
                                  accessor_error(path, *value, "string")));
}

}  // namespace

bool check_kind(const CustomVersion& version, const Value& object, field::ErrorList& errors) {
  check_is("kind", object, version.resource.kind, errors);
  check_is("apiVersion", object, version.type.api_version, errors);
  return errors.empty();
}

void validate(const CustomVersion& version, Subresource subresource, const Value& object,
              const Value* old, field::ErrorList& errors, std::vector<std::string>* warnings) {
  const schema::Structural& root = version.structural->root();
  const bool whole = subresource == Subresource::kNone;
  if (whole) {
    validate_value(object, root, {}, errors, {.old = old});
  } else if (const Value* status = object.find("status")) {
    const schema::Structural* schema = root.property("status");
    const Value* before = old == nullptr ? nullptr : old->find("status");
    if (schema != nullptr) {
      validate_value(*status, *schema, field::Path("status"), errors, {.old = before});
    }
  }
  if (version.has_scale) {
    if (whole) check_replicas(version.scale_paths.replicas, object, errors);
    check_replicas(version.scale_paths.status_replicas, object, errors);
    check_selector(version.scale_paths.selector, object, errors);
  }
  if (whole) validate_embedded(object, root, schema::Whole::kPart, {}, errors);
  field::ErrorList before;
  if (old != nullptr) validate_lists(*old, root, {}, before);
  if (before.empty()) validate_lists(object, root, {}, errors);
  if (version.cel_rules == nullptr) return;
  std::vector<std::string> unread;
  version.cel_rules->validate(object, old, root, errors, warnings == nullptr ? unread : *warnings);
}

}  // namespace tabernetes::registry::custom
