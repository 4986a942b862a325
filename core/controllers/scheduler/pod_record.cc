#include "controllers/scheduler/pod_record.h"

#include <string_view>

#include "base/time/rfc3339.h"
#include "registry/record/encoded_object.h"

namespace tabernetes::controllers::scheduling {
namespace {

// No string of a record contains this, since quotes in strings are escaped.
constexpr std::string_view kStatus = ",\"status\":{";

struct Parts {
  std::string_view spec, status;
};

Parts parts_of(const store::Record& record) {
  std::string_view rest = record.bytes;
  rest.remove_prefix(registry::offsets_of(record).metadata_end);
  const std::size_t status = rest.find(kStatus);
  if (status == std::string_view::npos) return {rest, {}};
  return {rest.substr(0, status), rest.substr(status)};
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool is_over(std::string_view status) {
  return contains(status, R"("phase":"Succeeded")") || contains(status, R"("phase":"Failed")");
}

}  // namespace

bool are_alike(const store::Record& before, const store::Record& now) {
  if (registry::offsets_of(before).terminating != registry::offsets_of(now).terminating ||
      registry::labels_of(before) != registry::labels_of(now)) {
    return false;
  }
  const Parts old = parts_of(before);
  const Parts current = parts_of(now);
  return old.spec == current.spec && !is_over(current.status);
}

Time start_of(const store::Record& pod, Time unset) {
  constexpr std::string_view kStart = R"("startTime":")";
  const std::string_view status = parts_of(pod).status;
  const std::size_t place = status.find(kStart);
  if (place == std::string_view::npos) return unset;
  const std::string_view text = status.substr(place + kStart.size());
  return parse_rfc3339(text.substr(0, text.find('"'))).value_or(unset);
}

bool is_preempted(const store::Record& pod) {
  return contains(parts_of(pod).status, R"("reason":"PreemptionByScheduler")");
}

}  // namespace tabernetes::controllers::scheduling
