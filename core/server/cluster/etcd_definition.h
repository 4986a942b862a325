// CustomResourceDefinitions in etcd: kube-apiserver stores them as v1beta1, which has what all
// versions share beside the versions. Source: upstream 1.36:
// apiextensions-apiserver/pkg/apis/apiextensions/v1/conversion.go.
#pragma once

#include "json/value.h"

namespace tabernetes::server {

// Change a definition's `spec` and the tree's version.
void to_v1beta1_definition(json::Value& object, json::Arena& arena);
void from_v1beta1_definition(json::Value& object, json::Arena& arena);

}  // namespace tabernetes::server
