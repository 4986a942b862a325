// Validation errors with field paths; validation collects all errors of an object. Source:
// apimachinery util/validation/field; spec/rest.md 4.4.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/api/api_status.h"
#include "base/api/group_version.h"

namespace tabernetes::field {

// What is wrong with a value that may not change any more.
inline constexpr std::string_view kImmutable = "field is immutable";

// A field path: "spec.containers[0].name", "metadata.labels[app]".
class Path {
 public:
  Path() = default;
  explicit Path(std::string text) : text_(std::move(text)) {}
  Path child(std::string_view name) const {
    return Path(text_.empty() ? std::string(name) : text_ + "." + std::string(name));
  }
  Path index(std::size_t i) const { return Path(text_ + "[" + std::to_string(i) + "]"); }
  Path key(std::string_view k) const { return Path(text_ + "[" + std::string(k) + "]"); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

struct Error {
  std::string reason;   // "FieldValueInvalid"
  std::string field;    // the path's text; "<nil>" for an empty path
  std::string message;  // "Invalid value: \"x\": must be ..."
};
using ErrorList = std::vector<Error>;

Error required(const Path& path, std::string_view detail = {});
// `printed` is the value as Go formats it: go_quote(text), a number, or compact JSON.
Error invalid(const Path& path, std::string_view printed, std::string_view detail);
Error type_invalid(const Path& path, std::string_view printed, std::string_view detail);
Error not_supported(const Path& path, std::string_view printed,
                    const std::vector<std::string>& supported);
Error forbidden(const Path& path, std::string_view detail);
Error duplicate(const Path& path, std::string_view printed);
Error not_found(const Path& path, std::string_view printed);
Error too_long(const Path& path, std::size_t max_bytes);
Error too_many(const Path& path, std::size_t actual, std::size_t max_items);

// Returns `e`, or `[e1, e2]` without duplicates, where an error prints as `field: message`; an
// empty string for an empty list.
std::string aggregate(const ErrorList& errors);

// Returns 422 with the message `Kind.group "name" is invalid: e` or `[e1, e2]`, without duplicates,
// and one cause per error, duplicates included.
Failure invalid_status(const GroupResource& group_kind, std::string_view name,
                       const ErrorList& errors);

}  // namespace tabernetes::field
