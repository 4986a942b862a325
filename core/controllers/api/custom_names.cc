#include "controllers/api/custom_names.h"

#include <set>

#include "base/go/text.h"
#include "custom/objects/custom_kind.h"
#include "json/access.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

// The names accepted for the definitions of a group; "" for names not accepted yet.
struct Taken {
  std::set<std::string, std::less<>> resources, kinds;
};

Taken names_taken(const registry::ResourceTable::DynamicKinds& all, std::string_view group) {
  Taken taken;
  for (const auto& kind : all) {
    if (kind->group() != group) continue;
    const registry::custom::GivenNames& given = registry::custom::custom_kind(*kind).given();
    taken.resources.insert({std::string(given.plural), std::string(given.singular)});
    taken.resources.insert(given.short_names.begin(), given.short_names.end());
    taken.kinds.insert({std::string(given.kind), std::string(given.list_kind)});
  }
  return taken;
}

bool holds(json::Range<Value> list, const Value& text) {
  for (const Value& item : list) {
    if (item.as_string() == text.as_string()) return true;
  }
  return false;
}

std::string in_use(std::string_view name) { return go_quote(name) + " is already in use"; }

// Returns the error for short names in use by other definitions; several errors are in brackets.
std::string short_names_in_use(json::Range<Value> wanted, json::Range<Value> own,
                               const Taken& taken) {
  std::string text;
  int errors = 0;
  std::set<std::string> told;
  for (const Value& name : wanted) {
    if (holds(own, name) || taken.resources.find(name.as_string()) == taken.resources.end()) {
      continue;
    }
    std::string error = in_use(name.as_string());
    if (!told.insert(error).second) continue;
    if (errors++ > 0) text += ", ";
    text += error;
  }
  return errors > 1 ? "[" + text + "]" : text;
}

}  // namespace

AcceptedNames accept_names(const Value& definition,
                           const registry::ResourceTable::DynamicKinds& all, json::Arena& arena) {
  const Taken taken = names_taken(all, text_at(definition, {"spec", "group"}));
  AcceptedNames result{Value::object(arena), {}, {}};
  const auto conflict = [&](std::string_view reason, std::string message) {
    result.reason = reason;
    result.message = std::move(message);
  };
  const auto accept = [&](std::string_view member, const std::set<std::string, std::less<>>& used,
                          std::string_view reason) {
    const std::string_view wanted = text_at(definition, {"spec", "names", member});
    const std::string_view own = text_at(definition, {"status", "acceptedNames", member});
    const bool clash = wanted != own && used.find(wanted) != used.end();
    if (clash) conflict(reason, in_use(wanted));
    const std::string_view name = clash ? own : wanted;
    const bool always = member == "plural" || member == "kind";
    if (always || !name.empty()) result.names.append(arena, member, Value::string(name));
  };
  accept("plural", taken.resources, "PluralConflict");
  accept("singular", taken.resources, "SingularConflict");
  const auto wanted = items_at(definition, {"spec", "names", "shortNames"});
  const auto own = items_at(definition, {"status", "acceptedNames", "shortNames"});
  std::string clash = short_names_in_use(wanted, own, taken);
  const Value* short_names = clash.empty()
                                 ? definition.at({"spec", "names", "shortNames"})
                                 : definition.at({"status", "acceptedNames", "shortNames"});
  if (!clash.empty()) conflict("ShortNamesConflict", std::move(clash));
  if (short_names != nullptr) result.names.append(arena, "shortNames", *short_names);
  accept("kind", taken.kinds, "KindConflict");
  accept("listKind", taken.kinds, "ListKindConflict");
  if (const Value* categories = definition.at({"spec", "names", "categories"})) {
    result.names.append(arena, "categories", *categories);
  }
  return result;
}

}  // namespace tabernetes::controllers
