// Resources that are served in two versions but stored once: events and autoscalers.
// Source: upstream 1.36 pkg/apis/{core,events,autoscaling}/v1/conversion.go.
#pragma once

#include <string_view>

#include "json/value.h"

namespace tabernetes::registry {

struct Conversion {
  std::string_view group, version, plural;                          // the other version
  std::string_view storage_group, storage_version, storage_plural;  // the one that is stored
  // Both take a decoded object and give one whose members need decoding again for their order.
  json::Value (*from_storage)(const json::Value& stored, json::Arena& arena) = nullptr;
  json::Value (*to_storage)(const json::Value& object, json::Arena& arena) = nullptr;
};

// Null: the resource is stored as it is served.
const Conversion* find_conversion(std::string_view group, std::string_view version,
                                  std::string_view plural);

}  // namespace tabernetes::registry
