// ResourcePoolStatusRequest of resource.k8s.io, which is printed but not served as a resource.
// Source: upstream 1.36 printers/internalversion/printers.go.
#include <string>

#include "json/access.h"
#include "kinds/row/kind.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Value;

// Returns the condition Complete or Failed of a request, or null while it is pending.
const Value* finished(const Value& request) {
  for (const Value& condition : items_at(request, {"status", "conditions"})) {
    const std::string_view type = condition.string_at("type");
    if ((type == "Complete" || type == "Failed") && condition.string_at("status") == "True") {
      return &condition;
    }
  }
  return nullptr;
}

bool has_result(const Value& request) {
  const Value* condition = finished(request);
  return has(request, {"status"}) &&
         (condition == nullptr || condition->string_at("type") != "Failed");
}

std::string pool_sum(const Value& request, std::string_view member) {
  if (!has_result(request)) return "-";
  std::int64_t sum = 0;
  for (const Value& pool : items_at(request, {"status", "pools"})) sum += number_at(pool, {member});
  return std::to_string(sum);
}

std::string pool_errors(const Value& request) {
  if (!has_result(request)) return "-";
  int errors = 0;
  for (const Value& pool : items_at(request, {"status", "pools"})) {
    if (has(pool, {"validationError"})) ++errors;
  }
  return std::to_string(errors);
}

std::string request_status(const Value& request) {
  const Value* condition = finished(request);
  if (condition == nullptr) return "Pending";
  std::string text(condition->string_at("type"));
  const std::int64_t listed = items_at(request, {"status", "pools"}).size();
  const std::int64_t count = number_at(request, {"status", "poolCount"});
  if (text == "Complete" && count > listed) {
    text += " (" + std::to_string(listed) + "/" + std::to_string(count) + " pools)";
  }
  return text;
}

std::string completed_text(const Value& request, Row& row) {
  const Value* condition = finished(request);
  if (condition == nullptr || condition->string_at("type") != "Complete") {
    return std::string(kNone);
  }
  return row.age_of(condition->string_at("lastTransitionTime"));
}

void print_resource_pool_status_request(const Value& object, Row& row) {
  row.name(object);
  row.text(text_at(object, {"spec", "driver"}));
  row.text(pool_sum(object, "totalDevices"));
  row.text(pool_sum(object, "availableDevices"));
  row.text(pool_sum(object, "allocatedDevices"));
  row.text(pool_sum(object, "unavailableDevices"));
  row.text(pool_errors(object));
  row.number(number_at(object, {"status", "poolCount"}));
  row.text(request_status(object));
  row.text(completed_text(object, row));
}

}  // namespace

extern const Kind kResourcePoolStatusRequestKind{.group = "resource.k8s.io",
                                                 .kind = "ResourcePoolStatusRequest",
                                                 .print = &print_resource_pool_status_request};

}  // namespace tabernetes::registry::kinds
