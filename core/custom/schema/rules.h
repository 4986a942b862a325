// The rules of a custom resource's schema (x-kubernetes-validations) held to its objects: in one
// walk over the object, each rule compiled when it is first needed and then kept.
//
// Source: upstream 1.36 apiextensions-apiserver pkg/apiserver/schema/cel/validation.go;
// spec/crd-auth-admission.md 2.8, 2.9.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/field_error.h"
#include "json/value.h"
#include "schema/structural.h"

namespace tabernetes::registry::custom {

class Rules {
 public:
  // Of an openAPIV3Schema in its typed form, of which nothing is kept. Null: it has no rules.
  // `whole`: of an object with metadata, not of a part of one.
  static std::shared_ptr<const Rules> of_schema(const json::Value& open_api, bool whole = true);
  ~Rules();

  // Checks `object`, and what changes from `old` (null on create). `schema` is the compiled form of
  // the same schema. Rules that fail where nothing has changed only warn, but for those that look
  // at the old value. If `errors` holds some already that may make rules fail for no reason of
  // their own, it says so and nothing is checked.
  void validate(const json::Value& object, const json::Value* old, const schema::Structural& schema,
                field::ErrorList& errors, std::vector<std::string>& warnings) const;

  // The same of a default at `path`, which has to do as a new value and as one that stays.
  void validate_default(const json::Value& value, const schema::Structural& schema,
                        const field::Path& path, field::ErrorList& errors) const;

 private:
  struct Parts;
  explicit Rules(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace tabernetes::registry::custom
