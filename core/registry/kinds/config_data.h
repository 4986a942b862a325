// ConfigMaps and Secrets: the keys of their data, its size, and `immutable`.
// Source: spec/lifecycle.md 2.7; upstream 1.36 pkg/apis/core/validation.
#pragma once

#include "base/field_error.h"
#include "json/value.h"

namespace tabernetes::registry::kinds {

void validate_config_map(const json::Value& object, field::ErrorList& errors);
void validate_config_map_update(const json::Value& object, const json::Value& old,
                                field::ErrorList& errors);

void validate_secret(const json::Value& object, field::ErrorList& errors);
void validate_secret_update(const json::Value& object, const json::Value& old,
                            field::ErrorList& errors);

}  // namespace tabernetes::registry::kinds
