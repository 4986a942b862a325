// The class of an object that names none, of those that an annotation marks as default.
#pragma once

#include <initializer_list>
#include <string_view>

#include "admission/plugin.h"

namespace tabernetes::admission {

// Returns the name of the newest class (of two of one time the first by name) on which one of the
// annotations is "true"; empty if there is none. It lies in the request's arena.
std::string_view default_class(const AdmissionRequest& request,
                               const registry::ObjectReader::Resource& classes,
                               std::initializer_list<std::string_view> annotations);

}  // namespace tabernetes::admission
