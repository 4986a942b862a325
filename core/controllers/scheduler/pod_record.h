// What the bytes of a pod's record say, without decoding them.
#pragma once

#include "store/record.h"
#include "tabernetes/time.h"

namespace tabernetes::controllers::scheduling {

// Returns true if both records of a pod that is on a node are the same to the scheduler: labels and
// spec are, and neither says that the pod ends.
bool are_alike(const store::Record& before, const store::Record& now);

// Returns status.startTime, or `unset`.
Time start_of(const store::Record& pod, Time unset);
// Returns true if the scheduler has preempted the pod.
bool is_preempted(const store::Record& pod);

}  // namespace tabernetes::controllers::scheduling
