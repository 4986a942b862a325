#include "kinds/table/kinds.h"

namespace tabernetes::registry::kinds {
namespace {

#define TAB_POINT_TO_KIND(name) &(name),
constexpr const Kind* kKinds[] = {TAB_BUILT_IN_KINDS(TAB_POINT_TO_KIND)};
#undef TAB_POINT_TO_KIND

constexpr Kind kUsual{};

}  // namespace

std::span<const Kind* const> all_kinds() { return kKinds; }

const Kind& find_kind(std::string_view group, std::string_view kind) {
  for (const Kind* row : kKinds) {
    if (row->kind == kind && row->group == group) return *row;
  }
  return kUsual;
}

}  // namespace tabernetes::registry::kinds
