#include "target.h"

#include <algorithm>

namespace tabernetes::host {

AbsoluteForm split_absolute_form(std::string_view target) {
  constexpr std::string_view kScheme = "http://";
  if (!target.starts_with(kScheme)) return {{}, target};
  const std::string_view rest = target.substr(kScheme.size());
  const std::size_t end = std::min(rest.find_first_of("/?"), rest.size());
  std::string_view path = rest.substr(end);
  if (path.empty()) path = "/";
  return {rest.substr(0, end), path};
}

}  // namespace tabernetes::host
