#include "tabernetes/http.h"

namespace tabernetes {

std::string_view find_header(const Headers& headers, std::string_view name) {
  for (const auto& [key, value] : headers) {
    if (key == name) return value;
  }
  return {};
}

}  // namespace tabernetes
