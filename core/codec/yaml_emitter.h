// Internal to codec: emits YAML text in block style with the layout of go-yaml v2 (libyaml's rules
// with an indent of 2 and folding at 80 columns) or of v3.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tabernetes::codec {

enum class YamlStyle { kPlain, kSingleQuoted, kDoubleQuoted, kLiteral };

// go-yaml v3 indents by 4, also sequences in mappings, and does not fold.
enum class YamlLayout { kGo2, kGo3 };

// Accepts collections and scalars in the order of the text. A mapping's children alternate: a key,
// a value, a key...
class YamlEmitter {
 public:
  explicit YamlEmitter(std::string& out, YamlLayout layout = YamlLayout::kGo2)
      : out_(out), layout_(layout) {}

  void begin_sequence(bool is_empty);
  void end_sequence();
  void begin_mapping(bool is_empty);
  void end_mapping();
  // `style` is a preference: a text that it cannot represent is written in another.
  void scalar(std::string_view text, YamlStyle style);
  // Ends the last line.
  void end_document();

 private:
  struct Collection {
    bool is_mapping;
    bool is_flow;  // empty: written as [] or {}
    bool key_comes = true;
    bool key_is_simple = true;
    int outer_indent;
  };

  void open(bool is_mapping, bool is_empty);
  void indent_by_four(bool in_sequence);
  bool is_beyond_width() const;
  void close();
  void before_node(bool is_simple_key);
  void after_node();

  void put(std::string_view character);
  void put_break();
  void write_indent();
  void write_indicator(std::string_view indicator, bool needs_space);
  void write_plain(std::string_view text);
  void write_single_quoted(std::string_view text);
  void write_double_quoted(std::string_view text);
  void write_literal(std::string_view text);

  std::string& out_;
  const YamlLayout layout_;
  std::vector<Collection> open_;
  int indent_ = -1;
  int column_ = 0;
  bool after_space_ = true;     // the last output separates tokens
  bool only_indented_ = true;   // the line has only indentation and `-`, `?`, `:` so far
  bool is_simple_key_ = false;  // writing a key that must stay on one line: no folding
};

}  // namespace tabernetes::codec
