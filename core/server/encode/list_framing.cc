#include "server/encode/list_framing.h"

#include <cassert>
#include <utility>

#include "codec/cbor_writer.h"
#include "codec/json_writer.h"
#include "codec/yaml.h"
#include "schema/schema.h"

namespace tabernetes::server {
namespace {

using json::Value;

// The array is the last member: the text ends with `[]` and braces.
CollectionText json_text(const Representation& form, const Value& collection) {
  std::string text;
  if (form.pretty) {
    codec::write_json_pretty(collection, text);
    text.resize(text.size() - std::string_view("]\n}").size());
    return {text + "\n    ", "\n  ]\n}", ",\n    "};
  }
  codec::write_json(collection, text);
  text.resize(text.size() - std::string_view("]}").size());
  return {std::move(text), "]}\n", ","};
}

// Keys are sorted: `rows` is last, `items` comes after apiVersion.
CollectionText yaml_text(const Value& collection) {
  std::string text;
  const bool written = codec::write_yaml(collection, text);
  assert(written);
  (void)written;
  const bool rows = collection.find("rows") != nullptr;
  const std::string_view member = rows ? "\nrows: []\n" : "\nitems: []\n";
  const std::size_t at = rows ? text.rfind(member) : text.find(member);
  assert(at != std::string::npos);
  const std::size_t bracket = at + member.size() - std::string_view(" []\n").size();
  return {text.substr(0, bracket) + "\n", text.substr(at + member.size()), ""};
}

// Keys are sorted by length: kind, then items, whose head contains the count.
CollectionText cbor_text(const Value& collection, std::size_t count) {
  constexpr std::string_view kEmptyItems = "\x45items\x80";
  std::string text;
  codec::write_cbor(schema::Catalogue::built_in(), collection, text);
  const std::size_t at = text.find(kEmptyItems);
  assert(at != std::string::npos);
  const std::size_t array = at + kEmptyItems.size() - 1;
  std::string before = text.substr(0, array);
  codec::write_cbor_array_head(count, before);
  return {std::move(before), text.substr(array + 1), ""};
}

}  // namespace

CollectionText list_framing(const Representation& form, const Value& collection,
                            std::size_t count) {
  if (form.encoding == codec::Encoding::kCbor) return cbor_text(collection, count);
  if (form.encoding == codec::Encoding::kYaml) return yaml_text(collection);
  return json_text(form, collection);
}

}  // namespace tabernetes::server
