// Internal to codec: parses a YAML stream into trees of nodes, with unresolved aliases.
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
  bool implicit = false;   // a scalar resolved by its text: plain, or with the tag `!`
  std::uint32_t line = 0;  // counted from 0
  std::string_view tag;    // in its long form; empty if absent
  std::string_view value;  // a scalar's text; an alias's anchor name
  // First child of a sequence or mapping (key, value, key...); an alias's target.
  const YamlNode* first = nullptr;
  const YamlNode* next = nullptr;  // sibling
};

// libyaml with go-yaml v2's limits and error messages. Known differences, all due to libyaml's
// newer scanner: `\/` in double quotes is accepted, `?` is allowed in a plain scalar of a flow
// collection, and a colon right before a flow indicator (`{a:}`) is an error.
class YamlNodeReader {
 public:
  // Nodes are allocated in `arena`. REQUIRES: `text` outlives the reader.
  YamlNodeReader(std::string_view text, json::Arena& arena);
  ~YamlNodeReader();
  YamlNodeReader(const YamlNodeReader&) = delete;
  YamlNodeReader& operator=(const YamlNodeReader&) = delete;

  // Returns the root of the next document; null at the end of the stream or on an error.
  const YamlNode* next_document();

  // Returns "line 3: mapping values are not allowed in this context", or an empty text.
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
