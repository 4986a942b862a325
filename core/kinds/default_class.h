// The class that an object gets that names none, of those that an annotation marks as default.
// Source: spec/lifecycle.md 1.11 (DefaultStorageClass, DefaultIngressClass).
#pragma once

#include <initializer_list>
#include <string_view>

#include "registry/kind/strategy.h"

namespace tabernetes::registry::kinds {

// The name of the newest class (of two of one time the first by name) on which one of the
// annotations is "true"; empty if there is none. Lies in the context's arena.
std::string_view default_class(const HookContext& context, const ObjectReader::Resource& classes,
                               std::initializer_list<std::string_view> annotations);

}  // namespace tabernetes::registry::kinds
