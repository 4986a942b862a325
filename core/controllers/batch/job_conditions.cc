#include "controllers/batch/job_conditions.h"

#include "controllers/shared/workload.h"
#include "json/access.h"

namespace tabernetes::controllers {

std::string_view finished_condition(const json::Value& job) {
  for (const json::Value& condition : items_at(job, {"status", "conditions"})) {
    const std::string_view type = condition.string_at("type");
    if ((type == "Complete" || type == "Failed") && condition.string_at("status") == "True") {
      return type;
    }
  }
  return {};
}

bool condition_is(const json::Value& status, std::string_view type) {
  const json::Value* condition = condition_in(status, type);
  return condition != nullptr && condition->string_at("status") == "True";
}

}  // namespace tabernetes::controllers
