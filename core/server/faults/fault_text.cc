#include <algorithm>
#include <string>

#include "base/go/duration.h"
#include "server/faults/fault_rules.h"

namespace tabernetes::server {
namespace {

constexpr std::pair<std::string_view, WatchFault::End> kWatchEnds[] = {
    {"end", WatchFault::End::kEnd},
    {"gone", WatchFault::End::kGone},
    {"close", WatchFault::End::kClose},
    {"stall", WatchFault::End::kStall}};
constexpr std::pair<std::string_view, BodyFault::Then> kBodyThens[] = {
    {"close", BodyFault::Then::kClose},
    {"stall", BodyFault::Then::kStall},
    {"garble", BodyFault::Then::kGarble}};
constexpr std::pair<std::string_view, ConnectionFault> kConnectionFaults[] = {
    {"close", ConnectionFault::kClose}, {"lose", ConnectionFault::kLose}};

template <typename E>
std::string name_of(FaultNames<E> names, E value) {
  const auto found = std::find_if(names.begin(), names.end(),
                                  [&](const auto& name) { return name.second == value; });
  return found == names.end() ? std::string() : std::string(found->first);
}

}  // namespace

FaultNames<WatchFault::End> WatchFault::names() { return kWatchEnds; }
FaultNames<BodyFault::Then> BodyFault::names() { return kBodyThens; }
FaultNames<ConnectionFault> connection_fault_names() { return kConnectionFaults; }

std::string fault_text(const FaultAct& act, std::string_view verb) {
  std::string text;
  const auto add = [&](const std::string& part) {
    if (!text.empty()) text += ", ";
    text += part;
  };
  if (act.delay_from != Duration{}) add("delay " + go_duration_text(act.delay_from));
  if (act.connection != ConnectionFault::kNone) {
    add("connection " + name_of(connection_fault_names(), act.connection));
  }
  if (act.status) add("status " + std::to_string(act.status->code));
  if (act.watch && verb == "watch") {
    add("watch " + name_of(WatchFault::names(), act.watch->end) + " after " +
        std::to_string(act.watch->events) + " events");
  }
  if (act.body) {
    add("body " + name_of(BodyFault::names(), act.body->then) + " after " +
        std::to_string(act.body->bytes) + " bytes");
  }
  return text;
}

}  // namespace tabernetes::server
