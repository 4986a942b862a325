// Random JSON: small trees over few names, so that any two have much in common.
#pragma once

#include "base/numbers/entropy.h"
#include "json/value.h"

namespace tabernetes::property {

// Returns a value with members in any order, with or without nulls.
enum class Nulls { kNone, kSome };
json::Value random_json(int depth, Nulls nulls, Entropy& entropy, json::Arena& arena);

// Like random_json(), but an object at the root.
json::Value random_json_object(int depth, Nulls nulls, Entropy& entropy, json::Arena& arena);

}  // namespace tabernetes::property
