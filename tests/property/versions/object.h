// The model of an object, read from JSON independently of the core's object readers.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "client.h"
#include "kinds.h"

namespace tabernetes::property {

using Version = std::uint64_t;

struct Object {
  const Kind* kind = nullptr;
  std::string ns, name, uid;
  std::string key;  // "<ns>/<name>", or the name
  Version version = 0;
  std::map<std::string, std::string> labels;
  std::map<std::string, std::string> fields;  // by path: the kind's selectable ones and its `field`
  std::vector<std::string> finalizers;
  bool terminating = false;
  std::int64_t grace_seconds = 0;  // if terminating
  std::string content;  // JSON without kind, apiVersion and resourceVersion; empty: not known
};
using ObjectPtr = std::shared_ptr<const Object>;

// Parses a resourceVersion; fails if it is not a number.
Version version_of(std::string_view text);

// Read an object from `{"metadata":{...}...}`, with or without kind and apiVersion.
ObjectPtr read_object(const Kind& kind, const json::Value& tree);
ObjectPtr read_object(const Kind& kind, std::string_view text);

// Returns the same content at another version.
ObjectPtr at_version(const ObjectPtr& object, Version version);

// Returns "a/x@12" for messages.
std::string describe(const Object& object);

// Fails unless both are the same object at the same version with the same content (if known).
void expect_same(const std::string& where, const Object& actual, const Object& expected);

}  // namespace tabernetes::property
