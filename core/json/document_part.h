// Reads rules that users write: a part of a document, with the path that names it in errors.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "tabernetes/time.h"

namespace tabernetes::json {

class DocumentPart {
 public:
  // `value`: null if the part is not given. `path`: `rules[0].match`. The first error of all parts
  // of a document goes to `error`. REQUIRES: `value` and `error` outlive the part.
  DocumentPart(const Value* value, std::string path, std::string& error)
      : value_(value), path_(std::move(path)), error_(error) {}

  bool given() const { return value_ != nullptr && !value_->is_null(); }
  bool is_text() const { return given() && value_->is_string(); }
  bool is_text(std::string_view text) const { return is_text() && value_->as_string() == text; }
  bool is_object() const { return given() && value_->is_object(); }
  bool is_list() const { return given() && value_->is_array(); }
  // REQUIRES: given().
  const Value& value() const { return *value_; }
  const std::string& path() const { return path_; }

  // Returns the member `key`, which is not given if this is no object.
  DocumentPart operator[](std::string_view key) const;
  // Returns the items of a list; none of anything else.
  std::vector<DocumentPart> items() const;

  void fail(const std::string& why) const;
  // Fails unless it is an object with no other members than those.
  void only(std::initializer_list<std::string_view> known) const;

  // Return what the part is, or nothing if it is not given; fail if it is something else.
  std::string text() const;
  std::optional<Duration> duration() const;    // a text in Go's form, not negative
  std::optional<std::int64_t> number() const;  // whole, not negative

 private:
  const Value* value_;
  std::string path_;
  std::string& error_;
};

}  // namespace tabernetes::json
