#include "json/sort_deep.h"

#include <vector>

namespace tabernetes::json {

void sort_deep(const Value& tree) {
  std::vector<Value> open = {tree};
  while (!open.empty()) {
    Value next = open.back();
    open.pop_back();
    if (next.is_array()) {
      for (const Value& item : next.items()) {
        if (item.size() > 0) open.push_back(item);
      }
    } else if (next.is_object()) {
      next.sort_members();
      for (const Member& member : next.members()) {
        if (member.value.size() > 0) open.push_back(member.value);
      }
    }
  }
}

}  // namespace tabernetes::json
