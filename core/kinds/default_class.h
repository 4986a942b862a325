// The default class of objects that name none: a class with an annotation. Source:
// spec/lifecycle.md 1.11 (DefaultStorageClass, DefaultIngressClass).
#pragma once

#include <initializer_list>
#include <string_view>

#include "registry/kind/strategy.h"

namespace tabernetes::registry::kinds {

// Returns the name of the newest class (with equal times the first by name) on which one of the
// annotations is "true"; empty if there is none. The result lies in the context's arena.
std::string_view default_class(const HookContext& context, const ObjectReader::Resource& classes,
                               std::initializer_list<std::string_view> annotations);

}  // namespace tabernetes::registry::kinds
