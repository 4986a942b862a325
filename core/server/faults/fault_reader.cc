#include "server/faults/fault_reader.h"

#include <algorithm>
#include <string>
#include <utility>

#include "codec/rule_list.h"
#include "json/access.h"
#include "json/document_part.h"
#include "tabernetes/options.h"

namespace tabernetes::server {
namespace {

using json::Value;
using Part = json::DocumentPart;

constexpr Duration kMostDelay = Duration::from_seconds(3600);

// What upstream's statuses say. Source: upstream 1.36 apimachinery/pkg/api/errors,
// NewGenericServerResponse.
struct UsualStatus {
  int code;
  std::string_view reason, message;
};
constexpr UsualStatus kUsual[] = {
    {400, "BadRequest", "the server rejected our request for an unknown reason"},
    {401, "Unauthorized", "Unauthorized"},
    {403, "Forbidden", "forbidden"},
    {404, "NotFound", "the server could not find the requested resource"},
    {409, "Conflict", "the server reported a conflict"},
    {410, "Expired", "The resourceVersion for the provided watch is too old."},
    {429, "TooManyRequests", "Too many requests, please try again later."},
    {500, "InternalError", "Internal error occurred"},
    {503, "ServiceUnavailable", "the server is currently unable to handle the request"},
    {504, "Timeout", "Timeout: request did not complete within the allotted timeout"},
};

void read_match(const Part& part, FaultMatch& match) {
  if (!part.given()) return;
  part.only({"verb", "resource", "path", "namespace", "name", "user", "userAgent"});
  const Part verb = part["verb"];
  if (verb.is_list()) {
    for (const Part& item : verb.items()) match.verbs.push_back(item.text());
  } else if (verb.given()) {
    match.verbs.push_back(verb.text());
  }
  if (part["resource"].given()) {
    const std::string resource = part["resource"].text();
    const std::size_t slash = std::min(resource.find('/'), resource.size());
    match.resource = resource.substr(0, slash);
    match.subresource = resource.substr(std::min(slash + 1, resource.size()));
  }
  match.path = part["path"].text();
  match.ns = part["namespace"].text();
  match.name = part["name"].text();
  match.user = part["user"].text();
  match.user_agent = part["userAgent"].text();
}

void read_nth(const Part& part, FaultRule& rule) {
  if (!part.given()) return;
  if (part.is_object()) {
    part.only({"from", "to"});
    rule.first = part["from"].number().value_or(rule.first);
    rule.last = part["to"].number().value_or(rule.last);
  } else {
    rule.first = rule.last = part.number().value_or(1);
  }
  if (rule.first < 1 || rule.last < rule.first) part.fail("counts from 1, upwards");
}

void read_share(const Part& part, FaultRule& rule) {
  if (!part.given()) return;
  const Value& value = part.value();
  rule.share = value.is_int()      ? static_cast<double>(value.as_int())
               : value.is_double() ? value.as_double()
                                   : -1;
  if (!(rule.share >= 0 && rule.share <= 1)) part.fail("must be a number from 0 to 1");
}

Duration read_delay_part(const Part& part) {
  const Duration delay = part.duration().value_or(Duration{});
  if (kMostDelay < delay) part.fail("must be at most 1h");
  return delay;
}

void read_delay(const Part& part, FaultAct& act) {
  if (!part.given()) return;
  if (!part.is_object()) {
    act.delay_from = act.delay_to = read_delay_part(part);
    return;
  }
  part.only({"from", "to"});
  act.delay_from = read_delay_part(part["from"]);
  act.delay_to = read_delay_part(part["to"]);
  if (act.delay_to < act.delay_from) part.fail("from must not be more than to");
}

ApiStatus usual_status(int code) {
  const auto* const usual = std::find_if(std::begin(kUsual), std::end(kUsual),
                                         [&](const UsualStatus& one) { return one.code == code; });
  ApiStatus status{.code = code};
  if (usual == std::end(kUsual)) return status;
  status.reason = usual->reason;
  status.message = usual->message;
  return status;
}

void read_status(const Part& part, FaultAct& act) {
  if (!part.given()) return;
  const bool whole = part.is_object();
  if (whole) part.only({"code", "reason", "message", "retryAfter"});
  const Part code_part = whole ? part["code"] : part;
  const std::int64_t code = code_part.number().value_or(0);
  if (code < 400 || code > 599) return code_part.fail("must be a code from 400 to 599");
  ApiStatus status = usual_status(static_cast<int>(code));
  if (part["reason"].given()) status.reason = part["reason"].text();
  if (part["message"].given()) status.message = part["message"].text();
  if (const auto seconds = part["retryAfter"].number()) {
    if (*seconds > 3600) part["retryAfter"].fail("must be at most 3600 seconds");
    status.details = StatusDetails{.retry_after_seconds = static_cast<int>(*seconds)};
  }
  act.status = std::move(status);
}

// Sets `out` to what the text names.
template <typename E>
void read_choice(const Part& part, FaultNames<E> choices, E& out) {
  if (!part.given()) return;
  std::string names;
  for (const auto& [name, value] : choices) {
    if (part.is_text(name)) {
      out = value;
      return;
    }
    names.append(names.empty() ? "" : ", ").append(name);
  }
  part.fail("must be one of " + names);
}

void read_watch(const Part& part, FaultAct& act) {
  if (!part.given()) return;
  part.only({"events", "then"});
  WatchFault fault{.events = part["events"].number().value_or(0)};
  read_choice(part["then"], WatchFault::names(), fault.end);
  act.watch = fault;
}

void read_body(const Part& part, FaultAct& act) {
  if (!part.given()) return;
  part.only({"bytes", "then"});
  BodyFault fault{.bytes = part["bytes"].number().value_or(0)};
  read_choice(part["then"], BodyFault::names(), fault.then);
  act.body = fault;
}

FaultRule read_rule(const Part& part) {
  part.only({"match", "nth", "share", "delay", "connection", "status", "watch", "body"});
  FaultRule rule;
  read_match(part["match"], rule.match);
  read_nth(part["nth"], rule);
  read_share(part["share"], rule);
  read_delay(part["delay"], rule.act);
  read_choice(part["connection"], connection_fault_names(), rule.act.connection);
  read_status(part["status"], rule.act);
  read_watch(part["watch"], rule.act);
  read_body(part["body"], rule.act);
  return rule;
}

}  // namespace

Expected<std::shared_ptr<const FaultRules>> read_faults(std::string_view document) {
  auto rules = std::make_shared<FaultRules>();
  auto list = codec::read_rule_list(
      document, [&](const Part& part) { rules->rules.push_back(read_rule(part)); });
  if (!list) return list.fault();
  rules->document = std::move(*list);
  return std::shared_ptr<const FaultRules>(std::move(rules));
}

std::shared_ptr<const FaultRules> usual_faults(std::string_view document) {
  // Every cluster comes here: it should not need a reader of YAML.
  if (document.empty()) return std::make_shared<const FaultRules>();
  auto read = read_faults(document);
  return read ? *read : std::make_shared<const FaultRules>();
}

}  // namespace tabernetes::server

namespace tabernetes {

Expected<void> check_faults(std::string_view text) {
  auto read = server::read_faults(text);
  if (!read) return read.fault();
  return {};
}

}  // namespace tabernetes
