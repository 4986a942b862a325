#include "json/document_part.h"

#include <algorithm>

#include "base/go/duration.h"

namespace tabernetes::json {

DocumentPart DocumentPart::operator[](std::string_view key) const {
  return {is_object() ? value_->find(key) : nullptr, path_ + "." + std::string(key), error_};
}

std::vector<DocumentPart> DocumentPart::items() const {
  std::vector<DocumentPart> parts;
  if (!is_list()) return parts;
  for (std::uint32_t i = 0; i < value_->size(); ++i) {
    parts.emplace_back(&value_->items()[i], path_ + "[" + std::to_string(i) + "]", error_);
  }
  return parts;
}

void DocumentPart::fail(const std::string& why) const {
  if (error_.empty()) error_ = path_ + ": " + why;
}

void DocumentPart::only(std::initializer_list<std::string_view> known) const {
  if (!is_object()) return fail("must be an object");
  for (const Member& member : value_->members()) {
    if (std::find(known.begin(), known.end(), member.key) != known.end()) continue;
    std::string names;
    for (const std::string_view name : known) names.append(names.empty() ? "" : ", ").append(name);
    return (*this)[member.key].fail("unknown; there are " + names);
  }
}

std::string DocumentPart::text() const {
  if (!given()) return {};
  if (value_->is_string()) return std::string(value_->as_string());
  fail("must be a text");
  return {};
}

std::optional<Duration> DocumentPart::duration() const {
  if (!given()) return std::nullopt;
  const GoDuration read = go_parse_duration(value_->is_string() ? value_->as_string() : "");
  if (read.error.empty() && !(read.value < Duration{})) return read.value;
  fail("must be a duration such as 1.5s or 2m");
  return std::nullopt;
}

std::optional<std::int64_t> DocumentPart::number() const {
  if (!given()) return std::nullopt;
  if (value_->is_int() && value_->as_int() >= 0) return value_->as_int();
  fail("must be a whole number");
  return std::nullopt;
}

}  // namespace tabernetes::json
