// Which control loops run, by kube-controller-manager's names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tabernetes {

// Reads a list as kube-controller-manager's --controllers, into the names of the loops that it
// turns on: `*` is all of them, `foo` adds one, `-foo` takes one away whatever else the list says.
// `all` and `none` are `*` and the empty list. Returns what is wrong with it, or an empty string.
// Known are the loops that there are; a name without a loop would be a switch without a wire.
std::string parse_controllers(std::string_view text, std::vector<std::string>& names);

}  // namespace tabernetes
