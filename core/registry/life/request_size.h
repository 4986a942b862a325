// The size of the etcd request that would write an object; etcd limits it. Source: a real
// kube-apiserver 1.36 with etcd 3.6.
#pragma once

#include "registry/life/registry.h"

namespace tabernetes::registry {

// Objects with less JSON are not measured.
inline constexpr std::size_t kSmallObject = std::size_t{1} << 20;

// Checks the size of a write of `object`, which `replaces` another one or not. Errors: 500 with the
// message of etcd's client.
Result<void> check_request_size(const ObjectRef& ref, const json::Value& object, bool replaces);

}  // namespace tabernetes::registry
