#include "server/containers/container_reader.h"

#include <string>
#include <utility>

#include "codec/rule_list.h"
#include "controllers/kubelet/behaviour_reader.h"
#include "json/access.h"
#include "json/document_part.h"
#include "tabernetes/options.h"

namespace tabernetes::server {
namespace {

using Part = json::DocumentPart;

constexpr Duration kLeastPace = Duration::from_milliseconds(1);  // of lines in a log
constexpr Duration kMostTime = Duration::from_seconds(std::int64_t{3600} * 24 * 365);
constexpr std::int64_t kMostPort = 65535;

Duration time_of(const Part& part) {
  const Duration time = part.duration().value_or(Duration{});
  if (kMostTime < time) part.fail("must be at most a year");
  return time;
}

// Returns the number, or `unset`; fails if it is not between the two.
std::int64_t number_between(const Part& part, std::int64_t least, std::int64_t most,
                            std::int64_t unset) {
  const std::int64_t number = part.number().value_or(unset);
  if (part.given() && (number < least || number > most)) {
    part.fail("must be a number from " + std::to_string(least) + " to " + std::to_string(most));
  }
  return number;
}

// Returns the address that is to be asked. Nothing else may then be said.
std::string url_of(const Part& part, std::initializer_list<std::string_view> others) {
  const Part url = part["url"];
  if (!url.given()) return {};
  std::string text = url.text();
  if (!text.starts_with("http://") && !text.starts_with("https://")) {
    url.fail("must begin with http:// or https://");
  }
  for (const std::string_view other : others) {
    if (part[other].given()) part[other].fail("is for the url to answer");
  }
  return text;
}

bool flag_of(const Part& part) {
  if (part.given() && !part.value().is_bool()) part.fail("must be true or false");
  return part.given() && part.value().is_bool() && part.value().as_bool();
}

void read_log(const Part& part, ContainerRule& rule) {
  if (!part.given()) return;
  rule.log.emplace();
  if (!part.is_object()) return read_log_lines(part, *rule.log);
  part.only({"url"});
  rule.log_url = url_of(part, {});
  if (rule.log_url.empty()) part["url"].fail("must be given");
}

void read_commands(const Part& part, ContainerRule& rule) {
  if (!part.given()) return;
  if (!part.is_list()) return part.fail("must be a list");
  for (const Part& item : part.items()) {
    item.only({"command", "out", "err", "code", "after", "url", "stdin"});
    CommandAnswer answer;
    const Part command = item["command"];
    if (command.is_text()) answer.line = command.text();
    for (const Part& word : command.items()) answer.words.push_back(word.text());
    if (!answer.line && answer.words.empty()) command.fail("must be a text or a list of texts");
    answer.url = url_of(item, {"out", "err", "code", "after"});
    answer.stdin_ = flag_of(item["stdin"]);
    if (answer.stdin_ && answer.url.empty()) item["stdin"].fail("is for an url");
    read_command_result(item, answer);
    answer.after = time_of(item["after"]);
    rule.commands.push_back(std::move(answer));
  }
}

void read_headers(const Part& part, PortAnswer& answer) {
  if (!part.given()) return;
  if (!part.is_object()) return part.fail("must be an object of texts");
  for (const json::Member& member : part.value().members()) {
    const std::string text = part[member.key].text();
    if (text.find_first_of("\r\n") != std::string::npos ||
        member.key.find_first_of("\r\n: ") != std::string_view::npos) {
      part[member.key].fail("is no header");
    }
    answer.headers.emplace_back(std::string(member.key), text);
  }
}

void read_ports(const Part& part, ContainerRule& rule) {
  if (!part.given()) return;
  if (!part.is_list()) return part.fail("must be a list");
  for (const Part& item : part.items()) {
    item.only({"port", "method", "path", "status", "headers", "body", "refuse", "url"});
    PortAnswer answer;
    answer.port = number_between(item["port"], 1, kMostPort, 0);
    answer.method = item["method"].text();
    answer.path = item["path"].text();
    answer.url = url_of(item, {"status", "headers", "body", "refuse"});
    read_port_result(item, answer);
    answer.refuses = flag_of(item["refuse"]);
    rule.ports.push_back(std::move(answer));
  }
}

ContainerRule read_container_rule(const Part& part) {
  part.only({"match", "log", "commands", "ports"});
  ContainerRule rule;
  controllers::kubelet::read_rule_match(part["match"], rule.match);
  read_log(part["log"], rule);
  read_commands(part["commands"], rule);
  read_ports(part["ports"], rule);
  return rule;
}

}  // namespace

void read_log_lines(const Part& part, std::vector<LogLine>& lines) {
  if (!part.is_list()) return part.fail("must be a list");
  for (const Part& item : part.items()) {
    LogLine line;
    if (item.is_text()) {
      line.text = item.text();
    } else {
      item.only({"text", "after", "every"});
      line.text = item["text"].text();
      line.after = time_of(item["after"]);
      if (item["every"].given()) line.every = time_of(item["every"]);
      if (line.every && *line.every < kLeastPace) item["every"].fail("must be at least 1ms");
    }
    lines.push_back(std::move(line));
  }
}

void read_command_result(const Part& part, CommandAnswer& answer) {
  answer.out = part["out"].text();
  answer.err = part["err"].text();
  answer.code = static_cast<int>(number_between(part["code"], 0, 255, 0));
}

void read_port_result(const Part& part, PortAnswer& answer) {
  answer.status = static_cast<int>(number_between(part["status"], 200, 599, 200));
  read_headers(part["headers"], answer);
  answer.body = part["body"].text();
}

Expected<std::shared_ptr<const ContainerRules>> read_containers(std::string_view document) {
  std::vector<ContainerRule> rules;
  auto list = codec::read_rule_list(
      document, [&](const Part& part) { rules.push_back(read_container_rule(part)); });
  if (!list) return list.fault();
  return std::make_shared<const ContainerRules>(std::move(rules), std::move(*list));
}

std::shared_ptr<const ContainerRules> usual_containers(std::string_view document) {
  // Every cluster comes here: it should not need a reader of YAML.
  if (document.empty()) return std::make_shared<const ContainerRules>();
  auto read = read_containers(document);
  return read ? *read : std::make_shared<const ContainerRules>();
}

}  // namespace tabernetes::server

namespace tabernetes {

Expected<void> check_containers(std::string_view text) {
  auto read = server::read_containers(text);
  if (!read) return read.fault();
  return {};
}

}  // namespace tabernetes
