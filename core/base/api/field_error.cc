// Source of the messages: spec/rest.md 4.4; upstream 1.36: apimachinery
// pkg/util/validation/field/errors.go.
#include "base/api/field_error.h"

#include <set>

#include "base/go/text.h"

namespace tabernetes::field {
namespace {

Error make(std::string_view reason, const Path& path, std::string message) {
  // An empty path prints as Go's nil pointer.
  return {std::string(reason), path.text().empty() ? "<nil>" : path.text(), std::move(message)};
}

std::string with_detail(std::string body, std::string_view detail) {
  if (!detail.empty()) body.append(": ").append(detail);
  return body;
}

std::string bad_value(std::string_view printed, std::string_view detail) {
  return with_detail("Invalid value: " + std::string(printed), detail);
}

std::string counted(std::size_t n, std::string_view one) {
  return std::to_string(n) + " " + std::string(one) + (n == 1 ? "" : "s");
}

}  // namespace

Error required(const Path& path, std::string_view detail) {
  return make("FieldValueRequired", path, with_detail("Required value", detail));
}

Error invalid(const Path& path, std::string_view printed, std::string_view detail) {
  return make("FieldValueInvalid", path, bad_value(printed, detail));
}

Error type_invalid(const Path& path, std::string_view printed, std::string_view detail) {
  return make("FieldValueTypeInvalid", path, bad_value(printed, detail));
}

Error not_supported(const Path& path, std::string_view printed,
                    const std::vector<std::string>& supported) {
  std::string body = "Unsupported value: " + std::string(printed);
  std::string_view separator = ": supported values: ";
  for (const std::string& value : supported) {
    body.append(separator).append(go_quote(value));
    separator = ", ";
  }
  return make("FieldValueNotSupported", path, std::move(body));
}

Error forbidden(const Path& path, std::string_view detail) {
  return make("FieldValueForbidden", path, with_detail("Forbidden", detail));
}

Error duplicate(const Path& path, std::string_view printed) {
  return make("FieldValueDuplicate", path, "Duplicate value: " + std::string(printed));
}

Error not_found(const Path& path, std::string_view printed) {
  return make("FieldValueNotFound", path, "Not found: " + std::string(printed));
}

Error too_long(const Path& path, std::size_t max_bytes) {
  return make("FieldValueTooLong", path,
              "Too long: may not be more than " + counted(max_bytes, "byte"));
}

Error too_many(const Path& path, std::size_t actual, std::size_t max_items) {
  return make(
      "FieldValueTooMany", path,
      "Too many: " + std::to_string(actual) + ": must have at most " + counted(max_items, "item"));
}

std::string aggregate(const ErrorList& errors) {
  std::vector<std::string> texts;
  texts.reserve(errors.size());
  for (const Error& error : errors) texts.push_back(error.field + ": " + error.message);
  return go_aggregate(texts);
}

Failure invalid_status(const GroupResource& group_kind, std::string_view name,
                       const ErrorList& errors) {
  ApiStatus status;
  status.code = 422;
  status.reason = "Invalid";
  status.message = group_kind.to_string() + " " + go_quote(name) + " is invalid";
  if (!errors.empty()) status.message += ": " + aggregate(errors);
  StatusDetails details;
  details.name = name;
  details.group = group_kind.group;
  details.kind = group_kind.resource;
  details.causes.reserve(errors.size());
  for (const Error& error : errors) {
    details.causes.push_back({error.reason, error.message, error.field});
  }
  status.details = std::move(details);
  return status;
}

}  // namespace tabernetes::field
