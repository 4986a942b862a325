// Deleting what is in a namespace, and counting what remains of it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/control_loop.h"

namespace tabernetes::controllers {

struct NamespaceContent {
  std::map<std::string, std::size_t> remaining;   // by "plural.group"
  std::map<std::string, std::size_t> finalizers;  // of what remains
  std::vector<std::string> errors;
  std::int64_t estimate = 0;    // seconds until it will be gone
  bool pods_only = false;       // pods remain; nothing else was looked at
  bool pods_have_time = false;  // the estimate is that of their grace periods
};

// Deletes all content of the namespace, which is terminating since `since`.
NamespaceContent delete_content(const Turn& turn, std::string_view ns, Time since);

}  // namespace tabernetes::controllers
