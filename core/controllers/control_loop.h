// One control loop: it hears of every change, notes what it will look at, and when it is due looks
// at the objects as they are then and writes through the registry, as any client would.
#pragma once

#include <memory>
#include <optional>

#include "registry/registry.h"
#include "store/history.h"
#include "tabernetes/time.h"

namespace tabernetes::controllers {

// How long a loop takes to see a change: no time that anybody would wait for.
inline constexpr Duration kReaction = Duration::from_milliseconds(1);

// As whom the loops write, in managedFields.
inline constexpr std::string_view kManager = "kube-controller-manager";

// A change of one object.
struct Change {
  const registry::ResourceType& type;  // as which it is stored
  const store::Record* before;         // null: created
  const store::Record* now;            // null: deleted
  std::string_view ns, name;
  Time time;

  Time due() const { return time + kReaction; }
};

// What a loop works with for the time of one piece of work.
struct Turn {
  registry::Registry& registry;
  json::Arena& arena;
  Time now;
  Time due;  // what is due by then counts as due

  // Of a write to an object, or to a subresource of it.
  registry::WriteContext context(std::string_view subresource = {}) const {
    registry::WriteContext context{.arena = arena, .now = now};
    context.manager = kManager;
    context.subresource = subresource;
    return context;
  }
  // The same object in the version that it is stored in: a loop waits for no conversion webhook.
  registry::ObjectRef as_stored(registry::ObjectRef ref) const;
  // The object as it is; null if there is none.
  json::Value read(const registry::ObjectRef& ref) const;
};

class ControlLoop {
 public:
  virtual ~ControlLoop() = default;

  virtual void observe(const registry::Registry& registry, const Change& change) = 0;
  // Forgets everything; the objects that there are come as created ones next.
  virtual void restart() = 0;
  virtual std::optional<Time> next() const = 0;
  // Does one piece of work that is due.
  virtual void work(const Turn& turn) = 0;
  virtual std::unique_ptr<ControlLoop> clone() const = 0;

 protected:
  ControlLoop() = default;
  ControlLoop(const ControlLoop&) = default;
  ControlLoop& operator=(const ControlLoop&) = delete;
};

}  // namespace tabernetes::controllers
