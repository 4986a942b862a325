#include "server/channels/log_answer.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/time/rfc3339.h"
#include "json/access.h"
#include "registry/objects/object_record.h"
#include "server/channels/container_asker.h"
#include "server/containers/container_log.h"

namespace tabernetes::server {
namespace {

using json::Value;

// How often a log that is followed is looked at.
constexpr Duration kPace = Duration::from_seconds(1);

// Writes entries as an answer has them, up to a number of bytes.
class LogWriter {
 public:
  LogWriter(bool timestamps, std::optional<std::int64_t> limit)
      : timestamps_(timestamps),
        left_(limit ? static_cast<std::size_t>(*limit) : std::numeric_limits<std::size_t>::max()) {}

  std::string text_of(const std::vector<LogEntry>& entries, std::size_t first = 0) {
    std::string text;
    for (std::size_t i = first; i < entries.size(); ++i) {
      if (timestamps_) text += nanosecond_time(entries[i].time) + ' ';
      text += entries[i].text;
      text += '\n';
    }
    if (text.size() > left_) text.resize(left_);
    left_ -= text.size();
    return text;
  }
  bool full() const { return left_ == 0; }

 private:
  // Formats as Go's RFC3339Nano.
  static std::string nanosecond_time(Time time) {
    std::string text = format_rfc3339(time);
    std::int64_t rest = time.unix_nanoseconds % 1'000'000'000;
    if (rest < 0) rest += 1'000'000'000;
    if (rest == 0) return text;
    std::string digits = std::to_string(1'000'000'000 + rest).substr(1);
    digits.erase(digits.find_last_not_of('0') + 1);
    text.insert(text.size() - 1, "." + digits);
    return text;
  }

  bool timestamps_;
  std::size_t left_;
};

// A log that is followed: what the container writes, until it ends or the client leaves.
class Follower : public std::enable_shared_from_this<Follower> {
 public:
  Follower(Cluster& cluster, registry::ObjectRef ref, std::string container, ContainerRun run,
           LogWriter writer, Time seen)
      : cluster_(cluster),
        ns_(ref.ns),
        name_(ref.name),
        container_(std::move(container)),
        run_(run),
        writer_(writer),
        asker_(cluster.webhooks),
        seen_(seen) {}

  void begin(std::string text) {
    ready_ = std::move(text);
    if (run_.ended || writer_.full()) {
      ended_ = true;
    } else {
      look_later();
    }
  }

  std::string take() { return std::exchange(ready_, {}); }
  bool ended() const { return ended_ && ready_.empty(); }
  void on_ready(std::function<void()> wake) { wake_ = std::move(wake); }

 private:
  // Nothing is left behind if the client leaves meanwhile.
  void look_later() {
    cluster_.deadlines.add(cluster_.now + kPace, [weak = weak_from_this()] {
      if (const auto self = weak.lock()) self->look();
    });
  }

  void look() {
    json::Arena arena;
    const registry::ResourceType* type = cluster_.registry.resources().find("", "v1", "pods");
    const Result<Value> pod =
        registry::read_stored(cluster_.store.settled_tree(), {type, ns_, name_}, arena);
    const Value* spec = pod ? container_spec(*pod, container_) : nullptr;
    if (spec == nullptr) {
      ended_ = true;
    } else {
      follow(*pod, *spec);
    }
    if (!asks_) go_on();
  }

  void go_on() {
    if (!ended_) look_later();
    if (ready_.empty() && !ended_) return;
    if (const auto wake = std::exchange(wake_, nullptr)) wake();
  }

  void follow(const Value& pod, const Value& spec) {
    // After a restart, the run that is followed is the one before.
    for (const bool previous : {false, true}) {
      const FoundRun found = find_run(pod, container_, previous);
      if (!found.run || found.run->started != run_.started) continue;
      const std::string url = cluster_.containers->log_url_of(pod, spec);
      if (url.empty()) {
        return add(*found.run,
                   log_entries(*cluster_.containers, pod, spec, *found.run, seen_, cluster_.now));
      }
      return ask(url, container_facts(pod, container_) + log_facts(run_.started, previous),
                 *found.run);
    }
    ended_ = true;
  }

  void ask(const std::string& url, std::string facts, const ContainerRun& run) {
    asks_ = true;
    asker_.ask(url, std::move(facts), [this, run](const ContainerAnswer& answer) {
      asks_ = false;
      add(run, log_entries(read_log_reply(answer), run, seen_, cluster_.now));
      go_on();
    });
  }

  void add(const ContainerRun& run, const std::vector<LogEntry>& entries) {
    ready_ += writer_.text_of(entries);
    seen_ = cluster_.now;
    ended_ = run.ended.has_value() || writer_.full();
  }

  Cluster& cluster_;
  std::string ns_, name_, container_;
  ContainerRun run_;
  LogWriter writer_;
  ContainerAsker asker_;
  bool asks_ = false;
  Time seen_;
  std::string ready_;
  bool ended_ = false;
  std::function<void()> wake_;
};

class FollowedLog final : public Stream {
 public:
  explicit FollowedLog(std::shared_ptr<Follower> follower) : follower_(std::move(follower)) {}

  Rope next() override {
    std::string text = follower_->take();
    return text.empty() ? Rope() : Rope(std::move(text));
  }
  bool ended() const override { return follower_->ended(); }
  void on_ready(std::function<void()> wake) override { follower_->on_ready(std::move(wake)); }

 private:
  std::shared_ptr<Follower> follower_;
};

std::optional<Time> beginning(const Query& query, Time now,
                              std::optional<std::int64_t> since_seconds) {
  constexpr std::int64_t kMost = std::int64_t{100} * 365 * 24 * 3600;
  if (since_seconds) return now + Duration::from_seconds(-std::min(*since_seconds, kMost));
  return parse_rfc3339(query.get("sinceTime"));
}

struct AskedLog {
  const Value& pod;
  const Value& spec;
  const std::string& container;
  const ContainerRun& run;
  bool previous;
};

// Returns all that the run wrote. Fails while somebody is asked for it.
Result<std::vector<LogEntry>> all_entries(RequestContext& call, Cluster& cluster,
                                          const AskedLog& log) {
  const std::string url = cluster.containers->log_url_of(log.pod, log.spec);
  if (url.empty() || call.pending == nullptr) {
    return log_entries(*cluster.containers, log.pod, log.spec, log.run, std::nullopt, call.now);
  }
  const ContainerAnswer* answer = call.pending->ask(std::make_unique<const ContainerQuestion>(
      url, container_facts(log.pod, log.container) + log_facts(log.run.started, log.previous)));
  if (answer == nullptr) return registry::may_persist(call.pending).error();
  return log_entries(read_log_reply(*answer), log.run, std::nullopt, call.now);
}

}  // namespace

const Value* container_spec(const Value& pod, std::string_view name) {
  for (const std::string_view list : {"containers", "initContainers", "ephemeralContainers"}) {
    for (const Value& container : items_at(pod, {"spec", list})) {
      if (container.string_at("name") == name) return &container;
    }
  }
  return nullptr;
}

Result<Response> answer_log(RequestContext& call, Cluster& cluster, const Value& pod,
                            const std::string& container) {
  TAB_TRY(const auto tail, call.query.integer("tailLines"));
  TAB_TRY(const auto limit, call.query.integer("limitBytes"));
  TAB_TRY(const auto since_seconds, call.query.integer("sinceSeconds"));
  const bool previous = call.query.boolean("previous").value_or(false);
  const FoundRun found = find_run(pod, container, previous);
  if (!found.run) return errors::bad_request(found.fault);

  const Value& spec = *container_spec(pod, container);
  TAB_TRY(std::vector<LogEntry> entries,
          all_entries(call, cluster, {pod, spec, container, *found.run, previous}));
  if (const auto since = beginning(call.query, call.now, since_seconds)) {
    std::erase_if(entries, [&](const LogEntry& entry) { return entry.time < *since; });
  }
  std::size_t first = 0;
  if (tail && static_cast<std::size_t>(*tail) < entries.size()) {
    first = entries.size() - static_cast<std::size_t>(*tail);
  }
  LogWriter writer(call.query.boolean("timestamps").value_or(false), limit);
  std::string text = writer.text_of(entries, first);

  Response response;
  response.headers = {{"Cache-Control", "no-cache, private"}, {"Content-Type", "text/plain"}};
  if (!call.query.boolean("follow").value_or(false)) {
    response.body = Rope(std::move(text));
    return response;
  }
  auto follower =
      std::make_shared<Follower>(cluster, call.ref(), container, *found.run, writer, call.now);
  follower->begin(std::move(text));
  response.stream = std::make_unique<FollowedLog>(std::move(follower));
  return response;
}

}  // namespace tabernetes::server
