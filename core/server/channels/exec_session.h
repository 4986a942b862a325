// A command in a simulated container, or its own process, between a client and a shell; independent
// of how the two are connected.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "server/channels/container_asker.h"
#include "server/cluster/cluster.h"
#include "server/containers/container_log.h"
#include "server/containers/shell.h"
#include "server/request/request_context.h"

namespace tabernetes::server {

// What the client asks for.
struct ExecWish {
  bool in = false, out = false, err = false, tty = false;
  std::vector<std::string> command;
};
ExecWish exec_wish(const Query& query);

// The container that it asks for. Views of the call.
struct ExecPlace {
  RequestContext& call;
  Cluster& cluster;
  const json::Value& pod;
  std::string container;
};

class ExecSession : public std::enable_shared_from_this<ExecSession> {
 public:
  // The numbers are those of upstream's channels.
  enum class Channel { kIn = 0, kOut = 1, kErr = 2, kStatus = 3, kResize = 4 };
  struct Piece {
    Channel channel;
    std::string bytes;
  };

  // Begins a command. Returns why the container is not there: upstream's words.
  static std::shared_ptr<ExecSession> exec(const ExecPlace& place, const ExecWish& wish);
  // Connects to the container's own process.
  static std::shared_ptr<ExecSession> attach(const ExecPlace& place, const ExecWish& wish);

  ExecSession(Cluster& cluster, ExecWish wish);
  // The client has left: for the command that is the end of its input, as in a real container.
  // Some clients end the input of a file that they copy in no other way.
  ~ExecSession();

  // From the client.
  void type(std::string_view bytes);
  void end_input();

  // For the client; the last piece is the status, JSON.
  std::optional<Piece> take();
  bool ended() const { return ended_ && ready_.empty(); }
  // Calls `wake` once, when there is a piece again.
  void on_ready(std::function<void()> wake) { wake_ = std::move(wake); }

 private:
  bool find(const ExecPlace& place);
  void begin_shell(const ExecPlace& place, const std::vector<std::string>& command);
  void follow_log(const ExecPlace& place);
  void look_at_log();
  void show_log(const ContainerRun& run, const std::vector<LogEntry>& entries);
  void pass_on();
  void ask(Shell::Asked asked);
  void wait(Time until);
  void send(Channel channel, std::string bytes);
  void end(std::string status);
  void wake();

  Cluster& cluster_;
  ExecWish wish_;
  std::optional<Shell> shell_;
  std::vector<std::string> command_;
  std::optional<ContainerRun> run_;
  std::string ns_, pod_, container_;
  ContainerAsker asker_;
  std::string facts_;  // of the container, for those who are asked
  Time seen_;          // the log up to here was sent
  bool is_main_ = false;
  std::deque<Piece> ready_;
  bool ended_ = false, waits_ = false;
  std::function<void()> wake_;
};

}  // namespace tabernetes::server
