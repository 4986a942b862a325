// Which of a controller's pods die first. Source: upstream 1.36
// pkg/controller/controller_utils.go (ActivePodsWithRanks).
#pragma once

#include "controllers/informers/informers.h"

namespace tabernetes::controllers {

// Sorts pods so that those that are best deleted come first: not bound, not running, not ready, of
// a low deletion cost, on a node with many of `related`, ready for a short time, often restarted,
// young. Times count by their logarithm; among equals the uid decides.
void sort_for_deletion(Informers::Pods& pods, const Informers::Pods& related, Time now);

}  // namespace tabernetes::controllers
