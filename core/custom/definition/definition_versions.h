// Checks of spec.versions: schemas, subresources, columns, selectable fields. For their paths in
// errors see validate_definition.h. Source: upstream 1.36 apiextensions-apiserver
// pkg/apis/apiextensions/validation/validation.go.
#pragma once

#include <string>

#include "rules/field.h"

namespace tabernetes::registry::custom {

// The versions of a definition.
class Versions {
 public:
  // `old` is the spec before an update, without a value on create. Both must outlive this.
  Versions(const validation::Field& spec, const validation::Field& old);

  // Checks that schemas are present; runs first.
  void require_schemas() const;
  // Checks each version separately.
  void each() const;
  // Checks the names and the storage version.
  void list_rules() const;
  // Checks the members that all versions share, under their paths in the spec.
  void shared() const;

 private:
  // Checks those members of `version` that are shared or not, and reports at `at`.
  void part(const validation::Field& at, const validation::Field& version, bool shared,
            bool status) const;
  void selectable(const validation::Field& at, const validation::Field& version,
                  const validation::Field& schema, bool shared) const;
  validation::Field old_fields(const validation::Field& version) const;
  // Prints the versions in upstream's internal form: without shared members.
  std::string printed() const;

  const validation::Field& spec_;
  const validation::Field& old_;
  bool shared_[4] = {};
  bool any_status_ = false;
};

}  // namespace tabernetes::registry::custom
