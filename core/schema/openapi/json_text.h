// A writer of compact JSON text. It escapes descriptions only: names and words need no escaping.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "schema/openapi/dialect.h"

namespace tabernetes::schema::openapi {

class JsonText {
 public:
  void open_object() { open('{'); }
  void close_object() { text_ += '}'; }
  void open_array() { open('['); }
  void close_array() { text_ += ']'; }

  void key(std::string_view name) {
    string(name);
    text_ += ':';
  }
  // REQUIRES: no quotes, backslashes or control characters in `word`.
  void string(std::string_view word) {
    separate();
    text_.append("\"").append(word).append("\"");
  }
  // Writes JSON text unchanged.
  void raw(std::string_view json) {
    separate();
    text_ += json;
  }

  void open_object(std::string_view name) {
    key(name);
    open_object();
  }
  void open_array(std::string_view name) {
    key(name);
    open_array();
  }
  void member(std::string_view name, std::string_view word) {
    key(name);
    string(word);
  }
  void raw_member(std::string_view name, std::string_view json) {
    key(name);
    raw(json);
  }
  // Writes the member "description", unless `text` is empty. Upstream escapes markup as Go does in
  // v3, not in v2.
  void description(std::string_view text, Dialect dialect);

  template <typename Words>
  void array_member(std::string_view name, const Words& words) {
    open_array(name);
    for (const std::string_view word : words) string(word);
    close_array();
  }

  std::string take() { return std::move(text_); }

 private:
  void open(char bracket) {
    separate();
    text_ += bracket;
  }
  void separate() {
    if (text_.empty()) return;
    const char last = text_.back();
    if (last != '{' && last != '[' && last != ':') text_ += ',';
  }

  std::string text_;
};

}  // namespace tabernetes::schema::openapi
