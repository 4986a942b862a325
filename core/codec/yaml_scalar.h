// Internal to codec: resolves YAML 1.1 scalars like go-yaml v2.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "json/value.h"

namespace tabernetes::codec {

inline constexpr std::string_view kYamlTagPrefix = "tag:yaml.org,2002:";

struct YamlScalar {
  enum class Kind { kNull, kBool, kInt, kUint, kFloat, kString };
  Kind kind = Kind::kString;
  bool boolean = false;
  std::int64_t integer = 0;
  std::uint64_t natural = 0;  // kUint: beyond int64
  double real = 0;
};

// Resolves `text` without a tag; kString if it is nothing else.
YamlScalar resolve_yaml_scalar(std::string_view text);

// Resolves `text` under `tag` (in its long form). Error: "cannot decode !!str `x` as a !!int".
struct YamlResolution {
  YamlScalar scalar;
  std::string_view text;  // for a kString: the scalar's text, or decoded !!binary
  std::string error;
};
YamlResolution resolve_yaml_tagged(std::string_view tag, std::string_view text, json::Arena& arena);

// Returns whether YAML reads `text` as a timestamp: 2001-1-2, with a time after `T`, `t` or spaces.
bool is_yaml_timestamp(std::string_view text);

}  // namespace tabernetes::codec
