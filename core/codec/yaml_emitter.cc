// Source: libyaml's emitter as ported in go-yaml v2 (emitterc.go): layout, choice of style,
// folding. Tested by tests/core/codec/yaml_writer_test.cc, tests/fuzz/yaml_fuzz.cc.
#include "codec/yaml_emitter.h"

#include <algorithm>
#include <array>

#include "base/text/ascii.h"
#include "base/text/utf8.h"

namespace tabernetes::codec {
namespace {

constexpr int kIndent = 2;
constexpr int kWidth = 80;
constexpr std::size_t kLongestSimpleKey = 128;

// Returns the bytes of the first UTF-8 character.
std::string_view next_character(std::string_view text) {
  if (static_cast<unsigned char>(text[0]) < 0x80) return text.substr(0, 1);
  return text.substr(0, decode_rune(text).size);
}

bool is_break(std::string_view c) {
  return c == "\n" || c == "\r" || c == "\xC2\x85" || c == "\u2028" || c == "\u2029";
}

bool is_printable(std::string_view c) {
  if (c.size() == 1) return c[0] == '\n' || (c[0] >= 0x20 && c[0] <= 0x7E);
  const char32_t rune = decode_rune(c).value;
  return (rune >= 0xA0 && rune <= 0xD7FF) || (rune >= 0xE000 && rune <= 0xFFFD && rune != 0xFEFF);
}

// The styles in which a text can be written.
struct Analysis {
  bool is_multiline = false;
  bool plain = true;
  bool single_quoted = true;
  bool literal = true;
};

// Returns whether the character `c` is an indicator that rules out a plain scalar in block style.
bool is_indicator(std::string_view c, bool is_first, bool after_blank, bool before_blank) {
  if (is_first) {
    if (c == "?" || c == ":" || c == "-") return before_blank;
    return std::string_view("#,[]{}&*!|>'\"%@`").find(c) != std::string_view::npos;
  }
  return (c == ":" && before_blank) || (c == "#" && after_blank);
}

bool is_blank(std::string_view c) { return c == " " || c == "\t"; }

Analysis analyze(std::string_view text) {
  Analysis result;
  if (text.empty()) {
    result.literal = false;
    return result;
  }
  bool has_special = text.starts_with("---") || text.starts_with("...");
  if (has_special) result.plain = false;
  has_special = false;

  bool after_space = false, after_break = false, after_blank = true, is_first = true;
  while (!text.empty()) {
    const std::string_view c = next_character(text);
    text.remove_prefix(c.size());
    const bool is_last = text.empty();
    const bool before_blank = is_last || is_blank(next_character(text));
    if (is_indicator(c, is_first, after_blank, before_blank)) result.plain = false;
    if (!is_printable(c)) has_special = true;
    if (c == " ") {
      if (is_first || is_last) result.plain = false;
      if (is_last) result.literal = false;
      if (after_break) result.plain = result.single_quoted = false;
    } else if (is_break(c)) {
      result.is_multiline = true;
      result.plain = false;
      if (after_space) has_special = true;
    }
    after_space = c == " ";
    after_break = is_break(c);
    after_blank = is_blank(c) || is_break(c);
    is_first = false;
  }
  if (has_special) result.plain = result.single_quoted = result.literal = false;
  return result;
}

YamlStyle possible_style(YamlStyle wish, const Analysis& analysis, bool is_empty) {
  if (wish == YamlStyle::kPlain && (!analysis.plain || is_empty)) wish = YamlStyle::kSingleQuoted;
  if (wish == YamlStyle::kSingleQuoted && !analysis.single_quoted) wish = YamlStyle::kDoubleQuoted;
  if (wish == YamlStyle::kLiteral && !analysis.literal) wish = YamlStyle::kDoubleQuoted;
  return wish;
}

// Returns the escape of `rune` in double quotes: \n, \x7F, \u2028...
std::string escape_of(char32_t rune) {
  switch (rune) {
    case 0x00:
      return "\\0";
    case 0x07:
      return "\\a";
    case 0x08:
      return "\\b";
    case 0x09:
      return "\\t";
    case 0x0A:
      return "\\n";
    case 0x0B:
      return "\\v";
    case 0x0C:
      return "\\f";
    case 0x0D:
      return "\\r";
    case 0x1B:
      return "\\e";
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case 0x85:
      return "\\N";
    case 0xA0:
      return "\\_";
    case 0x2028:
      return "\\L";
    case 0x2029:
      return "\\P";
    default:
      break;
  }
  const int digits = rune <= 0xFF ? 2 : rune <= 0xFFFF ? 4 : 8;
  std::string out = digits == 2 ? "\\x" : digits == 4 ? "\\u" : "\\U";
  for (int i = digits - 1; i >= 0; --i) out += kUpperHexDigits[rune >> (4 * i) & 15];
  return out;
}

}  // namespace

void YamlEmitter::begin_sequence(bool is_empty) { open(false, is_empty); }
void YamlEmitter::begin_mapping(bool is_empty) { open(true, is_empty); }
void YamlEmitter::end_sequence() { close(); }
void YamlEmitter::end_mapping() { close(); }
void YamlEmitter::end_document() { write_indent(); }

void YamlEmitter::open(bool is_mapping, bool is_empty) {
  before_node(false);
  const bool in_sequence = !open_.empty() && !open_.back().is_mapping;
  // The dashes of a sequence are aligned with the key that holds it.
  const bool in_mapping = !open_.empty() && open_.back().is_mapping;
  const bool is_indentless = !is_mapping && in_mapping && !only_indented_;
  open_.push_back({is_mapping, is_empty, true, true, indent_});
  if (is_empty) {
    write_indicator(is_mapping ? "{" : "[", true);
  } else if (indent_ < 0) {
    indent_ = 0;
  } else if (layout_ == YamlLayout::kGo3) {
    indent_by_four(in_sequence);
  } else if (!is_indentless) {
    indent_ += kIndent;
  }
}

// Indents the content of a sequence after its dash, other content to the next multiple of 4.
void YamlEmitter::indent_by_four(bool in_sequence) {
  indent_ = in_sequence ? indent_ + 2 : (indent_ + 4) / 4 * 4;
}

bool YamlEmitter::is_beyond_width() const {
  return layout_ == YamlLayout::kGo2 && column_ > kWidth;
}

void YamlEmitter::close() {
  const Collection closed = open_.back();
  open_.pop_back();
  if (closed.is_flow) write_indicator(closed.is_mapping ? "}" : "]", false);
  indent_ = closed.outer_indent;
  after_node();
}

void YamlEmitter::scalar(std::string_view text, YamlStyle style) {
  const Analysis analysis = analyze(text);
  const bool is_key = !open_.empty() && open_.back().is_mapping && open_.back().key_comes;
  is_simple_key_ = is_key && !analysis.is_multiline && text.size() <= kLongestSimpleKey;
  before_node(is_simple_key_);
  const bool must_quote = is_simple_key_ && text.empty();
  const int outer_indent = indent_;
  // Indentation of continuation lines.
  if (indent_ < 0) {
    indent_ = layout_ == YamlLayout::kGo3 ? 4 : kIndent;
  } else if (layout_ == YamlLayout::kGo3) {
    indent_by_four(!open_.empty() && !open_.back().is_mapping);
  } else {
    indent_ += kIndent;
  }
  switch (possible_style(style, analysis, must_quote)) {
    case YamlStyle::kPlain:
      write_plain(text);
      break;
    case YamlStyle::kSingleQuoted:
      write_single_quoted(text);
      break;
    case YamlStyle::kDoubleQuoted:
      write_double_quoted(text);
      break;
    case YamlStyle::kLiteral:
      write_literal(text);
      break;
  }
  is_simple_key_ = false;
  indent_ = outer_indent;
  after_node();
}

// Writes the indentation and `-`, `?` or `:` in front of a child of the innermost collection.
void YamlEmitter::before_node(bool is_simple_key) {
  if (open_.empty()) return;
  Collection& collection = open_.back();
  if (!collection.is_mapping) {
    write_indent();
    write_indicator("-", true);
  } else if (collection.key_comes) {
    write_indent();
    collection.key_is_simple = is_simple_key;
    if (!is_simple_key) write_indicator("?", true);
  } else if (collection.key_is_simple) {
    write_indicator(":", false);
  } else {
    write_indent();
    write_indicator(":", true);
  }
}

void YamlEmitter::after_node() {
  if (!open_.empty() && open_.back().is_mapping) open_.back().key_comes = !open_.back().key_comes;
}

void YamlEmitter::put(std::string_view character) {
  out_ += character;
  ++column_;
}

void YamlEmitter::put_break() {
  out_ += '\n';
  column_ = 0;
}

void YamlEmitter::write_indent() {
  const int indent = std::max(indent_, 0);
  if (!only_indented_ || column_ > indent || (column_ == indent && !after_space_)) put_break();
  while (column_ < indent) put(" ");
  after_space_ = true;
  only_indented_ = true;
}

void YamlEmitter::write_indicator(std::string_view indicator, bool needs_space) {
  if (needs_space && !after_space_) put(" ");
  for (const char& c : indicator) put({&c, 1});
  const bool is_flow_start = indicator == "[" || indicator == "{";
  // The rest of a line after an initial `-`, `?` or `:` counts as indentation.
  const bool starts_line =
      needs_space && (indicator == "-" || indicator == "?" || indicator == ":");
  after_space_ = is_flow_start;
  only_indented_ = only_indented_ && starts_line;
}

void YamlEmitter::write_plain(std::string_view text) {
  if (!after_space_) put(" ");
  bool after_space = false;
  while (!text.empty()) {
    const std::string_view c = next_character(text);
    text.remove_prefix(c.size());
    if (c == " " && !is_simple_key_ && !after_space && is_beyond_width() &&
        !text.starts_with(' ')) {
      write_indent();
    } else {
      put(c);
      only_indented_ = false;
    }
    after_space = c == " ";
  }
  after_space_ = false;
  only_indented_ = false;
}

void YamlEmitter::write_single_quoted(std::string_view text) {
  write_indicator("'", true);
  bool after_space = false, after_break = false, is_first = true;
  while (!text.empty()) {
    const std::string_view c = next_character(text);
    text.remove_prefix(c.size());
    if (c == " ") {
      const bool may_fold = !is_simple_key_ && !after_space && !is_first && !text.empty();
      if (may_fold && is_beyond_width() && !text.starts_with(' ')) {
        write_indent();
      } else {
        put(c);
      }
      after_space = true;
    } else if (is_break(c)) {
      if (!after_break && c == "\n") put_break();
      out_ += c;
      column_ = 0;
      only_indented_ = true;
      after_break = true;
    } else {
      if (after_break) write_indent();
      if (c == "'") put("'");
      put(c);
      only_indented_ = false;
      after_space = after_break = false;
    }
    is_first = false;
  }
  write_indicator("'", false);
  only_indented_ = false;
}

void YamlEmitter::write_double_quoted(std::string_view text) {
  write_indicator("\"", true);
  const bool escapes_all = text.starts_with("\uFEFF");  // go-yaml's test for a BOM
  bool after_space = false, is_first = true;
  while (!text.empty()) {
    const std::string_view c = next_character(text);
    text.remove_prefix(c.size());
    if (escapes_all || !is_printable(c) || is_break(c) || c == "\"" || c == "\\") {
      for (const char& escaped : escape_of(decode_rune(c).value)) put({&escaped, 1});
      after_space = false;
    } else if (c == " ") {
      const bool may_fold = !is_simple_key_ && !after_space && !is_first && !text.empty();
      if (may_fold && is_beyond_width()) {
        write_indent();
        if (text.starts_with(' ')) put("\\");
      } else {
        put(c);
      }
      after_space = true;
    } else {
      put(c);
      after_space = false;
    }
    is_first = false;
  }
  write_indicator("\"", false);
  only_indented_ = false;
}

void YamlEmitter::write_literal(std::string_view text) {
  write_indicator("|", true);
  // Otherwise the indentation is ambiguous if the first line is empty or begins with a space.
  if (text.starts_with(' ') || is_break(next_character(text))) write_indicator("2", false);
  const auto ends_with_break = [](std::string_view rest, std::size_t& length) {
    for (const std::string_view line_end : {"\n", "\r", "\xC2\x85", "\u2028", "\u2029"}) {
      length = line_end.size();
      if (rest.ends_with(line_end)) return true;
    }
    return false;
  };
  std::size_t last = 0, second_last = 0;
  if (!ends_with_break(text, last)) {
    write_indicator("-", false);
  } else if (const std::string_view rest = text.substr(0, text.size() - last);
             rest.empty() || ends_with_break(rest, second_last)) {
    write_indicator("+", false);
  }
  put_break();
  after_space_ = true;
  only_indented_ = true;
  bool after_break = true;
  while (!text.empty()) {
    const std::string_view c = next_character(text);
    text.remove_prefix(c.size());
    if (is_break(c)) {
      out_ += c;
      column_ = 0;
      only_indented_ = true;
      after_break = true;
    } else {
      if (after_break) write_indent();
      put(c);
      only_indented_ = false;
      after_break = false;
    }
  }
}

}  // namespace tabernetes::codec
