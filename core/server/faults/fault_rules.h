// What goes wrong on purpose: rules in order. docs/faults.md describes them.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/api/api_status.h"
#include "base/text/wildcard.h"
#include "tabernetes/time.h"

namespace tabernetes::server {

// What rules look at in a request.
struct FaultSubject {
  std::string verb;      // "create"; of other paths the method in lower case
  std::string path;      // without options
  std::string resource;  // "pods"; empty: the path names none
  std::string group;     // "" is the core group
  std::string version;
  std::string subresource;  // "log"
  std::string ns, name;
  std::string user;
  std::string user_agent;
};

struct FaultMatch {
  std::vector<std::string> verbs;  // empty: all
  // As in roles and webhooks: `pods`, `pods/log`, `deployments.apps/*`, `*/*`. Unset: all requests.
  std::optional<Wildcard> resource;  // `pods` or `deployments.apps`
  Wildcard subresource;              // of `resource`; "": only the resource itself
  Wildcard path, ns, name, user, user_agent;

  bool fits(const FaultSubject& subject) const;
};

// The texts of rules for a choice.
template <typename E>
using FaultNames = std::span<const std::pair<std::string_view, E>>;

// What is done to a watch after some events.
struct WatchFault {
  enum class End {
    kEnd,    // the watch ends as at its timeout
    kGone,   // an ERROR event with 410, then the end
    kClose,  // the connection closes
    kStall,  // nothing comes any more
  };
  static FaultNames<End> names();

  std::int64_t events = 0;
  End end = End::kEnd;
};

// What is done to a body after some bytes.
struct BodyFault {
  enum class Then { kClose, kStall, kGarble };
  static FaultNames<Then> names();

  std::int64_t bytes = 0;
  Then then = Then::kClose;
};

enum class ConnectionFault {
  kNone,
  kClose,  // closed without an answer; the request is not done
  kLose,   // the request is done, its answer is lost
};

FaultNames<ConnectionFault> connection_fault_names();

// What is done to a request, in this order.
struct FaultAct {
  Duration delay_from, delay_to;  // a random time between the two
  ConnectionFault connection = ConnectionFault::kNone;
  std::optional<ApiStatus> status;  // the answer; the request is not done
  std::optional<WatchFault> watch;
  std::optional<BodyFault> body;
};

// Returns what is done to a request with this verb, as docs/faults.md names it: "delay 2s, status
// 503".
std::string fault_text(const FaultAct& act, std::string_view verb);

struct FaultRule {
  FaultMatch match;
  // Which of the requests that fit, counted from 1; then a share of those, by chance.
  std::int64_t first = 1;
  std::int64_t last = std::numeric_limits<std::int64_t>::max();
  double share = 1;
  FaultAct act;
};

struct FaultRules {
  std::vector<FaultRule> rules;
  std::string document = "[]";  // as they were given, a JSON list
};

}  // namespace tabernetes::server
