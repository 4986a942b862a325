#include "controllers/scheduler/verdict.h"

#include <algorithm>

#include "base/algorithm/sort.h"

namespace tabernetes::controllers::scheduling {

std::string Histogram::to_string() const {
  std::vector<std::string> texts;
  for (const auto& [reason, count] : counts_) {
    texts.push_back(std::to_string(count) + " " + reason);
  }
  sort_stable(texts);
  std::string joined;
  for (const std::string& text : texts) joined.append(joined.empty() ? " " : ", ").append(text);
  return joined.empty() ? joined : joined + ".";
}

std::string none_available(std::size_t nodes, const Histogram& reasons) {
  return "0/" + std::to_string(nodes) + " nodes are available:" + reasons.to_string();
}

}  // namespace tabernetes::controllers::scheduling
