// Internal to codec: decodes a YAML document into a tree, as sigs.k8s.io/yaml converts it to JSON.
#pragma once

#include <string>
#include <vector>

#include "codec/yaml_nodes.h"
#include "json/value.h"

namespace tabernetes::codec {

struct YamlDecoded {
  json::Value value;                    // members sorted, as in the intermediate JSON
  std::string error;                    // sigs.k8s.io/yaml's message, including "yaml: "
  std::vector<std::string> duplicates;  // `line 2: key "metadata" already set in map`
};

YamlDecoded decode_yaml(const YamlNode& root, json::Arena& arena);

}  // namespace tabernetes::codec
