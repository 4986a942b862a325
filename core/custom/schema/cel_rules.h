// Evaluates x-kubernetes-validations of a custom resource: in one traversal of the object; each
// rule is compiled on first use.
//
// Source: upstream 1.36 apiextensions-apiserver pkg/apiserver/schema/cel/validation.go;
// spec/crd-auth-admission.md 2.8, 2.9.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/api/field_error.h"
#include "json/value.h"
#include "schema/structural.h"

namespace tabernetes::registry::custom {

class CelRules {
 public:
  // Makes the rules of a decoded openAPIV3Schema, which is not referenced afterwards. Returns null
  // if there are none. `whole`: of an object with metadata, not of a part of one.
  static std::shared_ptr<const CelRules> of_schema(const json::Value& open_api, bool whole = true);
  ~CelRules();

  // Checks `object`, and its changes from `old` (null on create). `schema` is the compiled form of
  // the same schema. Rules that fail on unchanged values only warn, except those that use oldSelf.
  // If `errors` already contains errors that may cause rules to fail, adds an error and checks
  // nothing.
  void validate(const json::Value& object, const json::Value* old, const schema::Structural& schema,
                field::ErrorList& errors, std::vector<std::string>& warnings) const;

  // Checks a default at `path`, both as an unchanged value and as a new one.
  void validate_default(const json::Value& value, const schema::Structural& schema,
                        const field::Path& path, field::ErrorList& errors) const;

 private:
  struct Parts;
  explicit CelRules(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace tabernetes::registry::custom
