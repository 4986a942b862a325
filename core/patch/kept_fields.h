// A field set that outlives the request in which it was read or computed.
#pragma once

#include <cstddef>
#include <string>

#include "patch/field_set.h"

namespace tabernetes::patch {

// A copy of a set and of the names that its elements view. Immutable and not movable.
class KeptFields {
 public:
  explicit KeptFields(const FieldSet& fields);
  KeptFields(const KeptFields&) = delete;
  KeptFields& operator=(const KeptFields&) = delete;

  const FieldSet& fields() const { return fields_; }
  std::size_t bytes() const { return bytes_; }  // approximate memory use

 private:
  void measure(const FieldSet& fields, std::size_t& names);
  FieldSet copy(const FieldSet& fields);

  std::size_t bytes_ = sizeof(KeptFields);
  std::string names_;
  FieldSet fields_;
};

}  // namespace tabernetes::patch
