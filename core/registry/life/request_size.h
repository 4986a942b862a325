// How large the request is that writes an object to etcd, which takes no more than so much.
// Source: a real kube-apiserver 1.36 with etcd 3.6.
#pragma once

#include "registry/life/registry.h"

namespace tabernetes::registry {

// Objects whose JSON is smaller are not measured.
inline constexpr std::size_t kSmallObject = std::size_t{1} << 20;

// `object` as it would be stored; `replaces` another one. Errors: 500, as etcd's client says it.
Result<void> check_request_size(const ObjectRef& ref, const json::Value& object, bool replaces);

}  // namespace tabernetes::registry
