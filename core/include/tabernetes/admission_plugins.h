// Names of admission plugins, for hosts that read them from people.
#pragma once

#include <string_view>

namespace tabernetes {

// Whether kube-apiserver 1.36 has an admission plugin of that name. Those that do nothing here yet
// are known too.
bool is_admission_plugin(std::string_view name);

}  // namespace tabernetes
