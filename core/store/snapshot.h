// An immutable state of the store: the tree at a revision.
#pragma once

#include "store/record.h"
#include "store/tree.h"

namespace tabernetes::store {

struct Snapshot {
  Tree tree;
  Revision revision = 0;
};

}  // namespace tabernetes::store
