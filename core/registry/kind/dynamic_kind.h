// A kind that is defined while the server runs, as the resource table needs it.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "registry/kind/resource_type.h"
#include "store/tree.h"

namespace tabernetes::registry {

// Immutable: a changed definition makes a new DynamicKind.
class DynamicKind : public std::enable_shared_from_this<DynamicKind> {
 public:
  virtual ~DynamicKind() = default;

  virtual std::string_view name() const = 0;  // the definition's
  virtual std::string_view group() const = 0;
  virtual bool established() const = 0;  // it is listed in discovery
  // Returns one type per version, in the order of the definition. This object owns them.
  virtual std::vector<const ResourceType*> types() const = 0;
  // Returns the type of the storage version.
  virtual const ResourceType& storage_type() const = 0;
};

// Updates the resource table to the stored definitions. The registry calls it after each write.
class Definitions {
 public:
  using TablePtr = std::shared_ptr<const ResourceTable>;

  virtual ~Definitions() = default;
  // Returns how the keys of definitions begin.
  virtual std::string_view prefix() const = 0;
  // Returns the table after a write to an object of `type` (`record` null: it was deleted); returns
  // `table` unchanged if the object defines nothing.
  virtual TablePtr after_write(const TablePtr& table, const ResourceType& type,
                               std::string_view name, const store::Record* record) const = 0;
  // Returns `table` with exactly the kinds defined in `state`.
  virtual TablePtr of_state(const TablePtr& table, const store::Tree& state) const = 0;
};

}  // namespace tabernetes::registry
