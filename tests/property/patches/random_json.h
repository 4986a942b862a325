// JSON drawn from a seed: small trees over few names, so that two of them have much in common.
#pragma once

#include "base/entropy.h"
#include "json/value.h"

namespace tabernetes::property {

// With null or without, members in any order.
enum class Nulls { kNone, kSome };
json::Value random_json(int depth, Nulls nulls, Entropy& entropy, json::Arena& arena);

// The same, at its root an object.
json::Value random_json_object(int depth, Nulls nulls, Entropy& entropy, json::Arena& arena);

}  // namespace tabernetes::property
