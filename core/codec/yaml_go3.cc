// Source: go-yaml v3 encode.go and emitterc.go. Tested by tests/core/codec/gnostic_test.cc.
#include "codec/yaml_go3.h"

#include <string_view>

#include "codec/yaml_emitter.h"
#include "codec/yaml_scalar.h"
#include "json/access.h"

namespace tabernetes::codec {
namespace {

using json::Value;

// Quotes strings that YAML 1.2 would resolve to another type; unlike v2, not `yes` and `on`.
YamlStyle go3_style_of(std::string_view text) {
  if (text.find('\n') != std::string_view::npos) return YamlStyle::kLiteral;
  const YamlScalar::Kind kind = resolve_yaml_scalar(text).kind;
  constexpr std::string_view kTruths[] = {"true", "True", "TRUE", "false", "False", "FALSE"};
  bool is_string = kind == YamlScalar::Kind::kString && !is_yaml_timestamp(text);
  if (kind == YamlScalar::Kind::kBool) {
    is_string = true;
    for (const std::string_view truth : kTruths) is_string = is_string && text != truth;
  }
  return is_string ? YamlStyle::kPlain : YamlStyle::kDoubleQuoted;
}

void write(const Value& value, YamlEmitter& emitter) {
  if (value.is_object()) {
    emitter.begin_mapping(value.size() == 0);
    for (const json::Member& member : value.members()) {
      emitter.scalar(member.key, go3_style_of(member.key));
      write(member.value, emitter);
    }
    emitter.end_mapping();
  } else if (value.is_array()) {
    emitter.begin_sequence(value.size() == 0);
    for (const Value& item : value.items()) write(item, emitter);
    emitter.end_sequence();
  } else if (value.is_string()) {
    emitter.scalar(value.as_string(), go3_style_of(value.as_string()));
  } else {
    emitter.scalar(value.is_null() ? "null" : scalar_text(&value), YamlStyle::kPlain);
  }
}

}  // namespace

std::string yaml_go3_text(const Value& value) {
  std::string text;
  YamlEmitter emitter(text, YamlLayout::kGo3);
  write(value, emitter);
  emitter.end_document();
  return text;
}

}  // namespace tabernetes::codec
