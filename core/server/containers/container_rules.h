// What stands behind logs, commands and ports of simulated containers: rules in order.
// docs/containers.md describes them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text/wildcard.h"
#include "controllers/kubelet/behaviour_rules.h"
#include "json/value.h"
#include "tabernetes/time.h"

namespace tabernetes::server {

// What a container writes, once or again and again.
struct LogLine {
  Duration after;                 // since the container's start
  std::optional<Duration> every;  // from then on
  std::string text;
};

// How a container answers a command.
struct CommandAnswer {
  // A pattern for each word; or one pattern for all words, joined by spaces.
  std::vector<Wildcard> words;
  std::optional<Wildcard> line;
  std::string out, err;
  int code = 0;
  Duration after;       // how long it takes
  std::string url;      // who is asked instead; empty: nobody
  bool stdin_ = false;  // asked with what is typed, once that has ended

  bool fits(const std::vector<std::string>& command) const;
};

// How a port answers an HTTP request.
struct PortAnswer {
  std::int64_t port = 0;  // 0: every port
  std::string method;     // empty: all
  Wildcard path;
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  bool refuses = false;  // nothing listens there
  std::string url;       // who is asked instead; empty: nobody

  bool fits(std::int64_t at, std::string_view with, std::string_view target) const;
};

struct ContainerRule {
  controllers::kubelet::RuleMatch match;
  std::optional<std::vector<LogLine>> log;
  std::string log_url;  // who is asked for the lines instead, with `log` empty
  std::vector<CommandAnswer> commands;
  std::vector<PortAnswer> ports;
};

class ContainerRules {
 public:
  ContainerRules() = default;
  // `document`: the rules as they were given, a JSON list.
  ContainerRules(std::vector<ContainerRule> rules, std::string document);

  // Returns what a container writes; nullptr: what it writes by default.
  const std::vector<LogLine>* log_of(const json::Value& pod, const json::Value& spec) const;
  // Returns who is asked for that; empty: nobody.
  std::string log_url_of(const json::Value& pod, const json::Value& spec) const;
  // Returns the answers of a container to commands, in order.
  std::vector<const CommandAnswer*> commands_of(const json::Value& pod,
                                                const json::Value& spec) const;
  // Returns the answers of the pod's ports, in order. A rule for a container speaks of the ports
  // that the container declares.
  std::vector<const PortAnswer*> ports_of(const json::Value& pod) const;

  const std::string& document() const { return document_; }
  // Returns true if somebody is asked for a port's answers or a log.
  bool asks() const { return asks_; }

 private:
  const ContainerRule* log_rule_of(const json::Value& pod, const json::Value& spec) const;

  std::vector<ContainerRule> rules_;
  std::string document_ = "[]";
  bool asks_ = false;
};

}  // namespace tabernetes::server
