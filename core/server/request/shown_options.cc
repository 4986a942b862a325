#include "server/request/shown_options.h"

#include <string>

namespace tabernetes::server {
namespace {

using json::Value;

constexpr std::string_view kVersion = "meta.k8s.io/v1";

Value options_of_kind(std::string_view kind, json::Arena& arena) {
  Value options = Value::object(arena);
  options.append(arena, "kind", Value::string(kind));
  options.append(arena, "apiVersion", Value::string(kVersion));
  return options;
}

// Appends the options of a query to an object.
class ShownOptions {
 public:
  ShownOptions(const Query& query, json::Arena& arena, Value& into)
      : query_(query), arena_(arena), into_(into) {}

  void texts(std::string_view name) {
    if (!query_.has(name)) return;
    Value list = Value::array(arena_);
    for (const std::string& text : query_.all(name)) list.push_back(arena_, string(text));
    into_.append(arena_, name, list);
  }
  void text(std::string_view name) {
    if (!query_.get(name).empty()) into_.append(arena_, name, string(query_.get(name)));
  }
  void flag(std::string_view name) {
    if (const auto value = query_.boolean(name)) into_.append(arena_, name, Value::boolean(*value));
  }
  void number(std::string_view name) {
    const auto value = query_.integer(name);
    if (value && *value) into_.append(arena_, name, Value::integer(**value));
  }

 private:
  Value string(std::string_view text) { return Value::string(arena_.copy(text)); }

  const Query& query_;
  json::Arena& arena_;
  Value& into_;
};

Value delete_options(const Query& query, json::Arena& arena) {
  Value shown = options_of_kind("DeleteOptions", arena);
  ShownOptions options(query, arena, shown);
  options.number("gracePeriodSeconds");
  Value preconditions = Value::object(arena);
  ShownOptions wanted(query, arena, preconditions);
  wanted.text("uid");
  wanted.text("resourceVersion");
  if (preconditions.size() > 0) shown.append(arena, "preconditions", preconditions);
  options.flag("orphanDependents");
  options.text("propagationPolicy");
  options.texts("dryRun");
  options.flag("ignoreStoreReadErrorWithClusterBreakingPotential");
  return shown;
}

}  // namespace

Value shown_options(const Request& request, const Query& query, json::Arena& arena) {
  if (request.method == "DELETE") return delete_options(query, arena);
  const bool patches = request.method == "PATCH";
  Value shown = options_of_kind(patches                   ? "PatchOptions"
                                : request.method == "PUT" ? "UpdateOptions"
                                                          : "CreateOptions",
                                arena);
  ShownOptions options(query, arena, shown);
  options.texts("dryRun");
  if (patches) options.flag("force");
  options.text("fieldManager");
  options.text("fieldValidation");
  return shown;
}

Value shown_delete_options(const Value& body, json::Arena& arena) {
  Value shown = options_of_kind("DeleteOptions", arena);
  for (const json::Member& member : body.members()) {
    if (member.key != "kind" && member.key != "apiVersion") {
      shown.append(arena, member.key, member.value);
    }
  }
  return shown;
}

}  // namespace tabernetes::server
