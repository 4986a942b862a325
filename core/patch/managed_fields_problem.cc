#include "patch/managed_fields_problem.h"

#include <algorithm>
#include <string_view>

#include "base/go/text.h"
#include "base/time/rfc3339.h"
#include "codec/json_writer.h"
#include "patch/path_element.h"

namespace tabernetes::patch {
namespace {

using json::Value;

// Returns the problem with a key of FieldsV1, or an empty text.
std::string problem_of_key(std::string_view key) {
  if (key.size() < 2) return "key must be 2 characters long:";
  if (key[1] != ':') return "missing colon: " + std::string(key);
  if (parse_path_element(key)) return {};
  if (key[0] == 'i') {
    const std::string error = go_parse_int(key.substr(2)).error;
    return "strconv.Atoi" + error.substr(std::min(error.find(':'), error.size()));
  }
  return "malformed JSON";
}

// Checks FieldsV1 as text, up to the first problem.
class Fields {
 public:
  explicit Fields(const Value& fields) { codec::write_json(fields, text_); }

  const std::string& text() const { return text_; }

  std::string problem_of(const Value& node) {
    if (node.is_null()) return skip(node);
    if (!node.is_object()) {
      const char found = text_[read_.size()];
      read_ += found;
      return here(std::string("ReadMapCB: expect { or n, but found ") + found);
    }
    read_ += '{';
    for (const json::Member& member : node.members()) {
      if (read_.back() != '{') read_ += ',';
      codec::write_json_string(member.key, read_);
      read_ += ':';
      std::string problem = problem_of(member);
      if (!problem.empty()) return problem;
    }
    read_ += '}';
    return {};
  }

 private:
  std::string problem_of(const json::Member& member) {
    if (member.key == ".") return skip(member.value);
    if (const std::string problem = problem_of_key(member.key); !problem.empty()) {
      return here("parsing key as path element: " + problem);
    }
    const bool known = parse_path_element(member.key)->known;
    return known ? problem_of(member.value) : skip(member.value);
  }

  std::string skip(const Value& value) {
    codec::write_json(value, read_);
    return {};
  }

  // Returns `problem` with the surrounding text within the library's read buffer.
  std::string here(const std::string& problem) const {
    constexpr std::size_t kBuffer = 4096;
    const std::size_t begin = (read_.size() - 1) / kBuffer * kBuffer;
    const std::size_t place = read_.size() - begin;
    const std::string_view buffer = std::string_view(text_).substr(begin, kBuffer);
    const auto around = [&](std::size_t size) {
      const std::size_t first = place - std::min(place, size);
      return "...|" + std::string(buffer.substr(first, place + size - first)) + "|...";
    };
    return problem + ", error found in #" + std::to_string(std::min<std::size_t>(place, 10)) +
           " byte of " + around(10) + ", bigger context " + around(50);
  }

  std::string text_;
  std::string read_;  // the part of text_ read so far
};

// Returns "2026-11-22 10:00:00 +0000 UTC".
std::string printed_time(const Value& entry) {
  const auto time = parse_rfc3339(entry.string_at("time"));
  if (!time) return "<nil>";
  std::string text = format_rfc3339(*time);
  text.replace(text.find('T'), 1, " ");
  text.replace(text.find('Z'), 1, " +0000 UTC");
  return text;
}

std::string problem_of_entry(const Value& entry, std::size_t position) {
  const std::string_view operation = entry.string_at("operation");
  if (operation != "Apply" && operation != "Update") return "operation must be `Apply` or `Update`";
  if (entry.string_at("apiVersion").empty()) return "apiVersion must not be empty";
  const std::string_view type = entry.string_at("fieldsType");
  if (type != "FieldsV1") {
    return (type.empty() ? "missing fieldsType" : "invalid fieldsType " + go_quote(type)) +
           " in managed fields entry " + std::to_string(position);
  }
  const Value* value = entry.find("fieldsV1");
  if (value == nullptr) return {};
  Fields fields(*value);
  const std::string problem = fields.problem_of(*value);
  if (problem.empty()) return {};
  std::string shown = "error decoding versioned set from {";
  for (const std::string_view name : {"manager", "operation", "apiVersion"}) {
    shown.append(entry.string_at(name)) += ' ';
  }
  shown += printed_time(entry) + " FieldsV1 " + fields.text() + ' ';
  shown.append(entry.string_at("subresource"));
  return shown + "}: error decoding set: " + problem;
}

}  // namespace

std::string managed_fields_problem(const Value& list) {
  if (!list.is_array()) return "managedFields must be a list";
  for (std::size_t i = 0; i < list.size(); ++i) {
    std::string problem = problem_of_entry(list.items()[i], i);
    if (!problem.empty()) return problem;
  }
  return "managedFields are too deep";
}

}  // namespace tabernetes::patch
