#include "codec/openapi_texts.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "codec/json_reader.h"

namespace tabernetes::codec {
namespace {

using json::Member;
using json::Value;

constexpr std::int64_t kFormat = 1;

bool is_list_of_strings(const Value* value) {
  return value != nullptr && value->is_array() &&
         std::all_of(value->items().begin(), value->items().end(),
                     [](const Value& item) { return item.is_string(); });
}

// Returns whether each member is the index of one of `count` texts.
bool numbers_texts(const Value* value, std::uint32_t count) {
  return value != nullptr && value->is_object() &&
         std::all_of(value->members().begin(), value->members().end(), [&](const Member& member) {
           return member.value.is_int() && member.value.as_int() >= 0 &&
                  member.value.as_int() < count;
         });
}

bool has_form(const Value& root) {
  if (!is_list_of_strings(root.find("texts"))) return false;
  const std::uint32_t count = root.find("texts")->size();
  const Value* types = root.find("types");
  return types != nullptr && types->is_object() &&
         std::all_of(types->members().begin(), types->members().end(),
                     [&](const Member& type) { return numbers_texts(&type.value, count); }) &&
         numbers_texts(root.find("parameters"), count);
}

tl::unexpected<std::string> fault(std::string what) { return tl::make_unexpected(std::move(what)); }

}  // namespace

tl::expected<schema::openapi::Descriptions, std::string> read_openapi_texts(
    std::string_view file, std::string_view kubernetes) {
  auto arena = std::make_unique<json::Arena>();
  const JsonRead read = read_json(file, *arena);
  if (!read.ok()) return fault("it is no JSON: " + read.error);
  const Value* format = read.value.find("format");
  if (format == nullptr || !format->is_int() || format->as_int() != kFormat) {
    return fault("it has another format");
  }
  const std::string_view version = read.value.string_at("kubernetes");
  if (version != kubernetes) {
    return fault("it is of Kubernetes " + std::string(version) + ", not of " +
                 std::string(kubernetes));
  }
  if (!has_form(read.value)) return fault("it does not have the form of such a file");
  return schema::openapi::Descriptions(std::move(arena), read.value);
}

}  // namespace tabernetes::codec
