// A change of an object, its effect, and its form as PUT and as the two patches.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "object.h"
#include "random.h"

namespace tabernetes::property {

struct Mutation {
  std::map<std::string, std::optional<std::string>> labels;  // nullopt: removed
  std::optional<std::string> value;                          // JSON, for the kind's field
  std::optional<std::vector<std::string>> finalizers;

  // Returns the object with the mutation's labels, field and finalizers; the rest is unchanged.
  Object applied(const Object& before) const;
  bool changes(const Object& before) const;

  // Returns the whole object for a PUT; without a resourceVersion if `version` is empty.
  std::string replacement(const Object& before, const std::string& version) const;
  std::string merge_patch(const Kind& kind, const std::string& version) const;
  std::string json_patch(const Object& before) const;
};

// Through /status only the field can change (and so it is always set).
Mutation random_mutation(Random& random, const Object& before, bool status);

// Returns the body of a new object.
std::string new_object(Random& random, const Kind& kind, const std::string& ns,
                       const std::string& name, const std::string& version);

}  // namespace tabernetes::property
