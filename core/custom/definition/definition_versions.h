// What is wrong with the versions of a definition: schemas, subresources, columns, selectable
// fields. How their paths are told: validate_definition.h. Source: upstream 1.36
// apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go.
#pragma once

#include <string>

#include "rules/field.h"

namespace tabernetes::registry::custom {

// The versions of a definition.
class Versions {
 public:
  // `old`: the spec before an update; without a value on create. Both outlive this.
  Versions(const validation::Field& spec, const validation::Field& old);

  // What is said of versions before all else.
  void require_schemas() const;
  // Each by itself.
  void each() const;
  // Their names, and which is stored.
  void list_rules() const;
  // What all versions have alike is part of the whole.
  void shared() const;

 private:
  // The parts of `version` that are shared or not, said of `at`.
  void part(const validation::Field& at, const validation::Field& version, bool shared,
            bool status) const;
  void selectable(const validation::Field& at, const validation::Field& version,
                  const validation::Field& schema, bool shared) const;
  validation::Field old_fields(const validation::Field& version) const;
  // The versions in upstream's internal form: without what is shared.
  std::string printed() const;

  const validation::Field& spec_;
  const validation::Field& old_;
  bool shared_[4] = {};
  bool any_status_ = false;
};

}  // namespace tabernetes::registry::custom
