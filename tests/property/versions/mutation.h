// A change of an object: what it does to the object, and how PUT and the two patches say it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "object.h"
#include "random.h"

namespace tabernetes::property {

struct Mutation {
  std::map<std::string, std::optional<std::string>> labels;  // nothing: removed
  std::optional<std::string> value;                          // JSON, of the kind's field
  std::optional<std::vector<std::string>> finalizers;

  // What the object's labels, field and finalizers are afterwards; the rest stays.
  Object applied(const Object& before) const;
  bool changes(const Object& before) const;

  // The whole object, to be PUT; `version` empty: without one.
  std::string replacement(const Object& before, const std::string& version) const;
  std::string merge_patch(const Kind& kind, const std::string& version) const;
  std::string json_patch(const Object& before) const;
};

// By /status, only the field can change (and so it must be said).
Mutation random_mutation(Random& random, const Object& before, bool status);

// A new object's body.
std::string new_object(Random& random, const Kind& kind, const std::string& ns,
                       const std::string& name, const std::string& version);

}  // namespace tabernetes::property
