#include "server/channels/exec_session.h"

#include <algorithm>
#include <utility>

#include "base/crypto/hash.h"
#include "codec/json_writer.h"
#include "json/access.h"
#include "registry/objects/object_record.h"
#include "server/channels/log_answer.h"

namespace tabernetes::server {
namespace {

using json::Value;

// How often the output of a container's own process is looked at.
constexpr Duration kLogPace = Duration::from_seconds(1);

std::string json_of(const std::string& text) {
  std::string out;
  codec::write_json(Value::string(text), out);
  return out;
}

std::string success_status() { return R"({"metadata":{},"status":"Success"})"; }

// In containerd's words.
std::string exit_status(const std::vector<std::string>& command, int code) {
  std::string line;
  for (const std::string& word : command) line.append(line.empty() ? "" : " ").append(word);
  const std::string number = std::to_string(code);
  return R"({"metadata":{},"status":"Failure","message":)" +
         json_of("command terminated with non-zero exit code: error executing command [" + line +
                 "], exit code " + number) +
         R"(,"reason":"NonZeroExitCode","details":{"causes":[{"reason":"ExitCode","message":")" +
         number + R"("}]}})";
}

std::string internal_error_status(const std::string& why) {
  return R"({"metadata":{},"status":"Failure","message":)" +
         json_of("Internal error occurred: " + why) +
         R"(,"reason":"InternalError","details":{"causes":[{"message":)" + json_of(why) +
         R"(}]},"code":500})";
}

// A runtime names each attempt by a random number; here it follows from what was tried.
std::string not_started(const ExecPlace& place, const std::string& program) {
  const std::string id =
      sha256_hex(std::string(text_at(place.pod, {"metadata", "uid"})) + place.container + program);
  return "error executing command in container: failed to exec in container: failed to start exec "
         "\"" +
         id +
         "\": OCI runtime exec failed: exec failed: unable to start container process: exec: \"" +
         program + "\": executable file not found in $PATH";
}

std::vector<CommandAnswer> answers_of(const Cluster& cluster, const Value& pod, const Value& spec) {
  std::vector<CommandAnswer> answers;
  for (const CommandAnswer* answer : cluster.containers->commands_of(pod, spec)) {
    answers.push_back(*answer);
  }
  return answers;
}

std::vector<std::string> own_command(const Value& spec) {
  std::vector<std::string> words;
  for (const std::string_view list : {"command", "args"}) {
    for (const Value& word : items_at(spec, {list})) words.emplace_back(word.as_string());
  }
  return words;
}

}  // namespace

ExecWish exec_wish(const Query& query) {
  const auto asked = [&query](std::string_view name) {
    return query.boolean(name).value_or(false);
  };
  return {.in = asked("stdin"),
          .out = asked("stdout"),
          .err = asked("stderr") && !asked("tty"),
          .tty = asked("tty"),
          .command = query.all("command")};
}

ExecSession::ExecSession(Cluster& cluster, ExecWish wish)
    : cluster_(cluster), wish_(std::move(wish)), asker_(cluster.webhooks) {}

ExecSession::~ExecSession() {
  if (!ended_ && wish_.in && shell_) shell_->end_input();
}

bool ExecSession::find(const ExecPlace& place) {
  ns_ = place.call.ns;
  pod_ = place.call.name;
  container_ = place.container;
  run_ = find_run(place.pod, place.container, false).run;
  if (run_ && !run_->ended) return true;
  end(internal_error_status("unable to upgrade connection: container not found (\"" +
                            place.container + "\")"));
  return false;
}

void ExecSession::begin_shell(const ExecPlace& place, const std::vector<std::string>& command) {
  const Value& spec = *container_spec(place.pod, place.container);
  place.cluster.written.forget_gone(place.cluster.registry);
  ContainerWorld world = world_of({.pod = place.pod,
                                   .spec = spec,
                                   .objects = place.cluster.registry,
                                   .tokens = place.cluster.server->token_issuer,
                                   .written = place.cluster.written,
                                   .started = run_->started,
                                   .now = place.call.now,
                                   .arena = place.call.arena});
  if (wish_.tty) world.environment.emplace_back("TERM", "xterm");
  command_ = command;
  std::vector<CommandAnswer> answers = answers_of(place.cluster, place.pod, spec);
  const bool asks = std::any_of(answers.begin(), answers.end(),
                                [](const CommandAnswer& answer) { return !answer.url.empty(); });
  if (asks) facts_ = container_facts(place.pod, place.container);
  shell_.emplace(std::move(world), std::move(answers), place.call.now);
  shell_->run(command, wish_.tty);
  if (!wish_.in) shell_->end_input();
  if (!shell_->missing_program().empty()) {
    return end(internal_error_status(not_started(place, shell_->missing_program())));
  }
  pass_on();
}

std::shared_ptr<ExecSession> ExecSession::exec(const ExecPlace& place, const ExecWish& wish) {
  auto session = std::make_shared<ExecSession>(place.cluster, wish);
  if (!session->find(place)) return session;
  if (wish.command.empty()) {
    session->end(internal_error_status(
        "unable to upgrade connection: you must specify at least 1 command for the container"));
  } else {
    session->begin_shell(place, wish.command);
  }
  return session;
}

std::shared_ptr<ExecSession> ExecSession::attach(const ExecPlace& place, const ExecWish& wish) {
  auto session = std::make_shared<ExecSession>(place.cluster, wish);
  if (!session->find(place)) return session;
  const Value& spec = *container_spec(place.pod, place.container);
  if (wish.in && bool_at(spec, {"stdin"})) {
    std::vector<std::string> command = own_command(spec);
    if (command.empty()) command = {"sh"};
    session->is_main_ = true;
    session->begin_shell(place, command);
  } else {
    session->follow_log(place);
  }
  return session;
}

// What the process writes is in its log.
void ExecSession::follow_log(const ExecPlace& place) {
  seen_ = place.call.now;
  wait(place.call.now + kLogPace);
}

void ExecSession::look_at_log() {
  json::Arena arena;
  const registry::ResourceType* type = cluster_.registry.resources().find("", "v1", "pods");
  const Result<Value> pod =
      registry::read_stored(cluster_.store.settled_tree(), {type, ns_, pod_}, arena);
  const Value* spec = pod ? container_spec(*pod, container_) : nullptr;
  std::optional<ContainerRun> run;
  if (spec != nullptr) {
    for (const bool previous : {false, true}) {
      const FoundRun found = find_run(*pod, container_, previous);
      if (found.run && found.run->started == run_->started) run = found.run;
    }
  }
  if (!run) return end(success_status());
  const std::string url = cluster_.containers->log_url_of(*pod, *spec);
  if (url.empty()) {
    return show_log(*run,
                    log_entries(*cluster_.containers, *pod, *spec, *run, seen_, cluster_.now));
  }
  asker_.ask(url, container_facts(*pod, container_) + log_facts(run->started, false),
             [this, run = *run](const ContainerAnswer& answer) {
               if (ended_) return;
               show_log(run, log_entries(read_log_reply(answer), run, seen_, cluster_.now));
               wake();
             });
}

void ExecSession::show_log(const ContainerRun& run, const std::vector<LogEntry>& entries) {
  std::string text;
  for (const LogEntry& entry : entries) text += entry.text + (wish_.tty ? "\r\n" : "\n");
  seen_ = cluster_.now;
  send(Channel::kOut, std::move(text));
  if (run.ended) return end(success_status());
  wait(cluster_.now + kLogPace);
}

void ExecSession::type(std::string_view bytes) {
  if (ended_ || !wish_.in || !shell_) return;
  shell_->type(bytes);
  pass_on();
  wake();
}

void ExecSession::end_input() {
  if (ended_ || !shell_) return;
  shell_->end_input();
  pass_on();
  wake();
}

std::optional<ExecSession::Piece> ExecSession::take() {
  if (ready_.empty()) return std::nullopt;
  Piece piece = std::move(ready_.front());
  ready_.pop_front();
  return piece;
}

void ExecSession::pass_on() {
  // Errors first: a client such as `kubectl cp` leaves when it has all of the rest.
  send(Channel::kErr, shell_->take_err());
  send(Channel::kOut, shell_->take_out());
  if (const auto code = shell_->exit_code()) {
    return end(*code == 0 || is_main_ ? success_status() : exit_status(command_, *code));
  }
  if (auto asked = shell_->take_asked()) ask(std::move(*asked));
  if (shell_->waits_until() && !waits_) wait(*shell_->waits_until());
}

void ExecSession::ask(Shell::Asked asked) {
  std::string facts = facts_ + command_facts(asked.command, asked.in);
  asker_.ask(std::move(asked.url), std::move(facts), [this](const ContainerAnswer& answer) {
    if (ended_) return;
    CommandReply reply = read_command_reply(answer);
    shell_->answer(std::move(reply.out), std::move(reply.err), reply.code);
    pass_on();
    wake();
  });
}

// Nothing is left behind if the client leaves meanwhile.
void ExecSession::wait(Time until) {
  waits_ = true;
  cluster_.deadlines.add(until, [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self || self->ended_) return;
    self->waits_ = false;
    if (self->shell_) {
      self->shell_->advance(self->cluster_.now);
      self->pass_on();
    } else {
      self->look_at_log();
    }
    self->wake();
  });
}

void ExecSession::wake() {
  if (ready_.empty() && !ended_) return;
  if (const auto wake = std::exchange(wake_, nullptr)) wake();
}

// In pieces that every client can take.
void ExecSession::send(Channel channel, std::string bytes) {
  const bool wanted = channel == Channel::kOut ? wish_.out : wish_.err;
  if (!wanted || bytes.empty()) return;
  constexpr std::size_t kPiece = 32 * 1024;
  if (bytes.size() <= kPiece) {
    ready_.push_back({channel, std::move(bytes)});
    return;
  }
  for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
    ready_.push_back({channel, bytes.substr(at, kPiece)});
  }
}

void ExecSession::end(std::string status) {
  if (ended_) return;
  ready_.push_back({Channel::kStatus, std::move(status)});
  ended_ = true;
}

}  // namespace tabernetes::server
