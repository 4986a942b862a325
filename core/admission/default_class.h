// The default class of objects that name none: a class with an annotation.
#pragma once

#include <initializer_list>
#include <string_view>

#include "admission/plugin.h"

namespace tabernetes::admission {

// Returns the name of the newest class (with equal times the first by name) on which one of the
// annotations is "true"; empty if there is none. The result lies in the request's arena.
std::string_view default_class(const AdmissionRequest& request,
                               const registry::ObjectReader::Resource& classes,
                               std::initializer_list<std::string_view> annotations);

}  // namespace tabernetes::admission
