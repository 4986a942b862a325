// Answers of containers that stand at an address: a command, a request to a port, a log. Each is a
// POST of JSON; docs/containers.md describes what is asked and answered.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "registry/kind/webhook_question.h"
#include "server/containers/container_rules.h"
#include "server/containers/port_messages.h"

namespace tabernetes::server {

using ContainerAnswer = registry::PendingWork::Answer;

// The answer's text is the body; its error says why there is none.
class ContainerQuestion final : public registry::WebhookQuestion {
 public:
  // `facts`: members of the body, JSON without the braces.
  ContainerQuestion(std::string url, std::string facts);

  const registry::WebhookClient& client() const override { return client_; }
  std::string url() const override { return client_.url; }
  Duration patience() const override { return Duration::from_seconds(3600); }
  std::string body(std::string_view uid) const override;
  ContainerAnswer read(std::string_view uid, const WebhookAnswer& answer) const override;

 private:
  registry::WebhookClient client_;
  std::string facts_;
};

// Return the facts of a question: about a container of a pod, and what it is about.
std::string container_facts(const json::Value& pod, std::string_view container);
std::string command_facts(const std::vector<std::string>& command, std::string_view in);
std::string port_facts(std::int64_t port, const PortRequest& request);
std::string log_facts(Time started, bool previous);

// Read an answer. A failed one is an error of the command, status 502, a line of the log.
struct CommandReply {
  std::string out, err;
  int code = 0;
};
CommandReply read_command_reply(const ContainerAnswer& answer);
PortReply read_port_reply(const ContainerAnswer& answer);
std::vector<LogLine> read_log_reply(const ContainerAnswer& answer);

}  // namespace tabernetes::server
