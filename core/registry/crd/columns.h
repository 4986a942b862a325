// Rows of tables of custom resources. Source: upstream 1.36 apiextensions-apiserver
// pkg/registry/customresource/tableconvertor; spec/crd-auth-admission.md 3.3.
#pragma once

#include "registry/crd/custom_kind.h"
#include "registry/table/row.h"

namespace tabernetes::registry::crd {

// The columns of a version, the name's first.
std::vector<schema::Column> columns_of(const CustomVersion& version);

void print(const CustomVersion& version, const json::Value& object, Row& row, json::Arena& arena);

}  // namespace tabernetes::registry::crd
