// The stored objects as a request reads them: the present state and those of the past. The verbs
// that only read see no more of the store than this, so that they run on any thread.
#pragma once

#include <tl/expected.hpp>

#include "store/snapshot.h"

namespace tabernetes::server {

class Objects {
 public:
  virtual ~Objects() = default;
  Objects(const Objects&) = delete;
  Objects& operator=(const Objects&) = delete;

  // The present state.
  virtual const store::Tree& tree() const = 0;
  virtual store::Revision revision() const = 0;

  enum class Missing {
    kCompacted,  // gone for ever
    kNotAtHand,  // only the writer can make it
  };
  // The state as of `revision`. REQUIRES: revision <= this->revision().
  virtual tl::expected<store::Snapshot, Missing> at(store::Revision revision) const = 0;

 protected:
  Objects() = default;
};

}  // namespace tabernetes::server
