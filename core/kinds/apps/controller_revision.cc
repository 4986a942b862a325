// ControllerRevision of apps. Source: upstream 1.36 pkg/apis/apps/validation.
#include <string>

#include "base/text/ascii.h"
#include "json/access.h"
#include "kinds/row/kind.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kControllerRevisionRules, R"(
on create update
 revision min:0
on create
 data present "data is mandatory"
  ?!@object
   . need "data must be a valid JSON object"
on update
 data immutable
)");

namespace {

using json::Value;

// Returns the owner that controls the revision: "statefulset.apps/db".
std::string controller_text(const Value& object) {
  for (const Value& owner : items_at(object, {"metadata", "ownerReferences"})) {
    if (!bool_at(owner, {"controller"})) continue;
    std::string kind = ascii_lower(owner.string_at("kind"));
    const std::string_view api_version = owner.string_at("apiVersion");
    const std::size_t slash = api_version.find('/');
    if (slash != std::string_view::npos) kind.append(".").append(api_version.substr(0, slash));
    return kind + "/" + std::string(owner.string_at("name"));
  }
  return std::string(kNone);
}

void print_controller_revision(const Value& object, Row& row) {
  row.name(object);
  row.text(controller_text(object));
  row.number(number_at(object, {"revision"}));
  row.age(object);
}

bool is_object(const Place& place) { return place.now.value()->is_object(); }

}  // namespace

extern const NamedPredicate kControllerRevisionPredicates[] = {
    {"object", &is_object},
};

extern const Kind kControllerRevisionKind{.group = "apps",
                                          .kind = "ControllerRevision",
                                          .strategy = {.meta_passes = {"CF", "UFCF", ""}},
                                          .rules = &kControllerRevisionRules,
                                          .print = &print_controller_revision};

}  // namespace tabernetes::registry::kinds
