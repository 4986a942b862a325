// Read access to the stored objects: the present state and past ones. Verbs that only read use the
// store through this interface alone, so that they can run on any thread.
#pragma once

#include <tl/expected.hpp>

#include "store/snapshot.h"

namespace tabernetes::server {

class Objects {
 public:
  virtual ~Objects() = default;
  Objects(const Objects&) = delete;
  Objects& operator=(const Objects&) = delete;

  // Returns the present state.
  virtual const store::Tree& tree() const = 0;
  virtual store::Revision revision() const = 0;

  enum class Missing {
    kCompacted,  // compacted for ever
    kNotAtHand,  // only the writer can make it
  };
  // Returns the state as of `revision`. REQUIRES: revision <= this->revision().
  virtual tl::expected<store::Snapshot, Missing> at(store::Revision revision) const = 0;

 protected:
  Objects() = default;
};

}  // namespace tabernetes::server
