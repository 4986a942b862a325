// Internal to codec: the tree that a YAML document stands for, as sigs.k8s.io/yaml turns it into
// JSON.
#pragma once

#include <string>
#include <vector>

#include "codec/yaml_nodes.h"
#include "json/value.h"

namespace tabernetes::codec {

struct YamlDecoded {
  json::Value value;                    // members sorted, as in the JSON in between
  std::string error;                    // as sigs.k8s.io/yaml shows it, "yaml: " included
  std::vector<std::string> duplicates;  // `line 2: key "metadata" already set in map`
};

YamlDecoded decode_yaml(const YamlNode& root, json::Arena& arena);

}  // namespace tabernetes::codec
