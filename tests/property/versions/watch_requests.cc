// Opening watches, errors in their requests, and resuming them after a break. Invariants 20 (the
// tables of spec/list-watch.md 4.2 and 1.3), 30 to 32.

#include "watches.h"
#include "world.h"

namespace tabernetes::property {
namespace {

using Form = WatchRequest::Form;

constexpr std::size_t kMaxWatches = 12;
constexpr const char* kForbidden = "resourceVersionMatch: Forbidden: ";

std::string join(const std::vector<std::string>& errors) {
  if (errors.empty()) return {};
  std::string all = errors.front();
  for (std::size_t i = 1; i < errors.size(); ++i) all += ", " + errors[i];
  return "ListOptions.meta.k8s.io \"\" is invalid: " + (errors.size() > 1 ? "[" + all + "]" : all);
}

// Watches on the deprecated paths are validated as lists.
std::string path_errors(const WatchRequest& request) {
  std::vector<std::string> errors;
  if (!request.match.empty() && request.version.empty()) {
    errors.push_back(std::string(kForbidden) +
                     "resourceVersionMatch is forbidden unless resourceVersion is provided");
  }
  if (request.match == "Exact" && request.version == "0") {
    errors.push_back(std::string(kForbidden) +
                     "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
  }
  if (request.initial_events) {
    errors.emplace_back("sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list");
  }
  return join(errors);
}

std::string watch_errors(const WatchRequest& request) {
  std::vector<std::string> errors;
  if (request.initial_events && request.match != "NotOlderThan") {
    errors.push_back(std::string(kForbidden) +
                     "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
  }
  if (!request.match.empty() && !request.initial_events) {
    errors.push_back(std::string(kForbidden) +
                     "resourceVersionMatch is forbidden for watch unless "
                     "sendInitialEvents is provided");
  }
  if (!request.match.empty() && request.match != "NotOlderThan") {
    errors.push_back("resourceVersionMatch: Unsupported value: \"" + request.match +
                     "\": supported values: \"NotOlderThan\"");
  }
  return join(errors);
}

struct Refusal {
  int code = 0;
  std::string message;
};

Refusal refusal_of(const WatchRequest& request) {
  const std::string errors = request.by_path ? path_errors(request) : watch_errors(request);
  if (!errors.empty()) return {422, errors};
  const std::string named = request.selector.required("metadata.name");
  const bool selects = !request.selector.fields.empty();
  if (!request.only_name.empty() && selects && named != request.only_name) {
    return {400, "fieldSelector metadata.name doesn't match requested name"};
  }
  if (request.version.find_first_not_of("0123456789") != std::string::npos) {
    return {500, "resourceVersion: Invalid value: \"" + request.version +
                     "\": strconv.ParseUint: parsing \"" + request.version + "\": invalid syntax"};
  }
  return {};
}

std::string random_start(World& world, Random& random) {
  switch (random.below(10)) {
    case 0:
    case 1:
      return "";
    case 2:
      return "0";
    case 3:
      return random.chance(20) ? "x1" : std::to_string(world.model.now());
    default:
      return std::to_string(random_past_version(world, random));
  }
}

WatchRequest random_request(World& world, Random& random) {
  WatchRequest request;
  request.scope = random_scope(random, random_kind(random));
  request.selector = random_selector(random, *request.scope.kind);
  request.version = random_start(world, random);
  if (random.chance(40)) {
    request.initial_events = random.chance(65);
    request.match = "NotOlderThan";
  }
  if (random.chance(5)) request.match = random.pick({"", "NotOlderThan", "Exact"});
  request.bookmarks = random.chance(50);
  if (random.chance(30)) request.timeout = std::to_string(random.between(5, 200));
  if (random.chance(20)) request.form = random.chance(50) ? Form::kTable : Form::kPartial;
  request.by_path = random.chance(12);
  const bool one = !request.scope.kind->namespaced || !request.scope.ns.empty();
  if (request.by_path && one && random.chance(60)) request.only_name = random.pick(names());
  // A client can begin at a future version only without initial events.
  const bool state = request.initial_events.value_or(request.version.empty());
  if (!state && !request.version.empty() && random.chance(6)) {
    request.version = std::to_string(world.model.now() + random.between(1, 10));
  }
  return request;
}

void send_watch(World& world, const WatchRequest& request) {
  const Refusal refusal = refusal_of(request);
  Answer answer = world.client.call("GET", request.target(), {}, request.headers());
  if (refusal.code != 0) return expect_status(answer, refusal.code, refusal.message);
  if (answer.status != 200) expect_equal("answer to a watch", answer.body, "a stream");
  expect(answer.stream != nullptr, "a watch without a stream");
  world.watches.push_back(std::make_unique<Watch>(world, request, std::move(answer.stream)));
}

}  // namespace

std::string WatchRequest::target() const {
  Target target(by_path
                    ? scope.kind->watch_path(scope.ns) + (only_name.empty() ? "" : "/" + only_name)
                    : scope.path());
  if (!by_path) target.add("watch", "1");
  if (initial_events) target.add("sendInitialEvents", *initial_events ? "true" : "false");
  if (bookmarks) target.add("allowWatchBookmarks", "true");
  return target.add_if("resourceVersion", version)
      .add_if("resourceVersionMatch", match)
      .add_if("timeoutSeconds", timeout)
      .add_if("labelSelector", selector.label_text)
      .add_if("fieldSelector", selector.field_text)
      .text();
}

Headers WatchRequest::headers() const {
  if (form == Form::kObject) return {};
  return {{"accept", std::string("application/json;as=") +
                         (form == Form::kTable ? "Table" : "PartialObjectMetadata") +
                         ";g=meta.k8s.io;v=v1"}};
}

void open_watch(World& world, Random& random) {
  if (world.watches.size() >= kMaxWatches) return close_watch(world, random);
  send_watch(world, random_request(world, random));
}

void pull_watch(World& world, Random& random) {
  if (world.watches.empty()) return open_watch(world, random);
  Watch& watch = *random.pick(world.watches);
  const bool all = random.chance(80);
  world.client.note(std::string(all ? "read all of " : "read once of ") + watch.request().target());
  watch.pull(world, all);
}

// Closes a watch; its client may resume it.
void close_watch(World& world, Random& random) {
  if (world.watches.empty()) return;
  const std::size_t at = random.below(world.watches.size());
  const std::unique_ptr<Watch> watch = std::move(world.watches[at]);
  world.watches.erase(world.watches.begin() + static_cast<std::ptrdiff_t>(at));
  if (random.chance(60)) watch->pull(world, random.chance(60));
  world.client.note("close " + watch->request().target());
  if (random.chance(70)) resume(world, *watch);
}

void resume(World& world, const Watch& watch) {
  if (watch.resume_from() == 0) return;
  WatchRequest again = watch.request();
  again.version = std::to_string(watch.resume_from());
  again.initial_events.reset();
  again.match.clear();
  send_watch(world, again);
}

std::unique_ptr<Watch> record(World& world, const Kind& kind) {
  WatchRequest request;
  request.scope.kind = &kind;
  Answer answer = world.probe.call("GET", request.target());
  expect(answer.stream != nullptr, "a watch without a stream");
  return std::make_unique<Watch>(world, request, std::move(answer.stream));
}

}  // namespace tabernetes::property
