// Internal to codec: the documents of a YAML stream as trees of nodes, aliases not yet followed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "json/arena.h"

namespace tabernetes::codec {

struct YamlNode {
  enum class Kind : std::uint8_t { kScalar, kSequence, kMapping, kAlias };
  Kind kind = Kind::kScalar;
  bool implicit = false;   // a scalar that is resolved by its text: plain, or with the tag `!`
  std::uint32_t line = 0;  // counted from 0
  std::string_view tag;    // in its long form; empty: none
  std::string_view value;  // of a scalar; the anchor's name of an alias
  const YamlNode* first = nullptr;  // of a sequence or mapping (key, value, key…); an alias' target
  const YamlNode* next = nullptr;  // sibling
};

// libyaml behind go-yaml v2's limits and error texts. Known differences, all from libyaml's later
// scanner: `\/` in double quotes is read, `?` may stand in a plain scalar of a flow collection, and
// a colon right before a flow indicator (`{a:}`) is an error.
class YamlNodeReader {
 public:
  // Nodes live in `arena` and `text` outlives the reader.
  YamlNodeReader(std::string_view text, json::Arena& arena);
  ~YamlNodeReader();
  YamlNodeReader(const YamlNodeReader&) = delete;
  YamlNodeReader& operator=(const YamlNodeReader&) = delete;

  // The root of the next document; null at the end of the stream or on an error.
  const YamlNode* next_document();

  // "line 3: mapping values are not allowed in this context"; empty: none.
  const std::string& error() const { return error_; }

 private:
  struct Parser;
  class DocumentBuilder;

  bool fail();

  std::unique_ptr<Parser> parser_;
  json::Arena& arena_;
  std::string error_;
};

}  // namespace tabernetes::codec
