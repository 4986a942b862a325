#include <string>

#include "base/go/duration.h"
#include "server/faults/fault_rules.h"

namespace tabernetes::server {
namespace {

std::string_view name_of(WatchFault::End end) {
  switch (end) {
    case WatchFault::End::kEnd:
      return "end";
    case WatchFault::End::kGone:
      return "gone";
    case WatchFault::End::kClose:
      return "close";
    case WatchFault::End::kStall:
      return "stall";
  }
  return {};
}

std::string_view name_of(BodyFault::Then then) {
  switch (then) {
    case BodyFault::Then::kClose:
      return "close";
    case BodyFault::Then::kStall:
      return "stall";
    case BodyFault::Then::kGarble:
      return "garble";
  }
  return {};
}

}  // namespace

std::string fault_text(const FaultAct& act, std::string_view verb) {
  std::string text;
  const auto add = [&](const std::string& part) {
    if (!text.empty()) text += ", ";
    text += part;
  };
  if (act.delay_from != Duration{}) add("delay " + go_duration_text(act.delay_from));
  if (act.connection == ConnectionFault::kClose) add("connection close");
  if (act.connection == ConnectionFault::kLose) add("connection lose");
  if (act.status) add("status " + std::to_string(act.status->code));
  if (act.watch && verb == "watch") {
    add("watch " + std::string(name_of(act.watch->end)) + " after " +
        std::to_string(act.watch->events) + " events");
  }
  if (act.body) {
    add("body " + std::string(name_of(act.body->then)) + " after " +
        std::to_string(act.body->bytes) + " bytes");
  }
  return text;
}

}  // namespace tabernetes::server
