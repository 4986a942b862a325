// A kind that is defined while the server runs, as the table of resources knows it.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "registry/kind/resource_type.h"
#include "store/tree.h"

namespace tabernetes::registry {

// Never changes: where its definition does, another one takes its place.
class DefinedKind : public std::enable_shared_from_this<DefinedKind> {
 public:
  virtual ~DefinedKind() = default;

  virtual std::string_view name() const = 0;  // of the definition
  virtual std::string_view group() const = 0;
  virtual bool established() const = 0;  // it is in discovery
  // One a version, in the order of the definition. This object owns them.
  virtual std::vector<const ResourceType*> types() const = 0;
  // The version that is stored.
  virtual const ResourceType& storage_type() const = 0;
};

// Keeps the table of resources in step with the stored definitions. The registry asks it after each
// write.
class Definitions {
 public:
  using TablePtr = std::shared_ptr<const ResourceTable>;

  virtual ~Definitions() = default;
  // Returns the table after a write to an object of `type` (`record` null: it is gone); `table`
  // itself if nothing is defined by it.
  virtual TablePtr after_write(const TablePtr& table, const ResourceType& type,
                               std::string_view name, const store::Record* record) const = 0;
  // Returns `table` with what is defined in this state alone.
  virtual TablePtr of_state(const TablePtr& table, const store::Tree& state) const = 0;
};

}  // namespace tabernetes::registry
