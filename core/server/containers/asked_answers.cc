#include "server/containers/asked_answers.h"

#include <algorithm>
#include <utility>

#include "base/text/base64.h"
#include "base/text/utf8.h"
#include "base/time/rfc3339.h"
#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "json/access.h"
#include "server/containers/container_reader.h"

namespace tabernetes::server {
namespace {

using json::Value;

constexpr std::string_view kContainerAnswer = "answer of a container";
constexpr int kFailed = 126;
constexpr int kBadGateway = 502;

// Appends a text as JSON, which has no other bytes than those of UTF-8.
void write_text(std::string_view text, std::string& out) {
  std::string valid;
  for (std::string_view rest = text; !rest.empty();) {
    const Rune rune = decode_rune(rest);
    append_rune(rune.value, valid);
    rest.remove_prefix(rune.size);
  }
  codec::write_json(Value::string(valid), out);
}

void add_text(std::string_view name, std::string_view text, std::string& facts) {
  facts += ',';
  codec::write_json(Value::string(name), facts);
  facts += ':';
  write_text(text, facts);
}

std::string error_of(const ContainerAnswer& answer, const std::string& fault) {
  return answer.error.empty() ? "the answer is not valid: " + fault : answer.error;
}

}  // namespace

ContainerQuestion::ContainerQuestion(std::string url, std::string facts)
    : WebhookQuestion(kContainerAnswer, url + " " + facts), facts_(std::move(facts)) {
  client_.url = std::move(url);
}

std::string ContainerQuestion::body(std::string_view /*uid*/) const { return "{" + facts_ + "}\n"; }

ContainerAnswer ContainerQuestion::read(std::string_view /*uid*/,
                                        const WebhookAnswer& answer) const {
  if (answer.fault) return {.text = {}, .error = answer.fault->message};
  if (answer.status < 200 || answer.status > 299) {
    return {.text = {}, .error = url() + " answered " + std::to_string(answer.status)};
  }
  return {.text = answer.body, .error = {}};
}

std::string container_facts(const Value& pod, std::string_view container) {
  std::string facts = "\"pod\":";
  codec::write_json(pod, facts);
  add_text("container", container, facts);
  return facts;
}

std::string command_facts(const std::vector<std::string>& command, std::string_view in) {
  std::string facts = ",\"command\":[";
  for (const std::string& word : command) {
    if (&word != &command.front()) facts += ',';
    write_text(word, facts);
  }
  facts += "]";
  add_text("in", in, facts);
  return facts;
}

std::string port_facts(std::int64_t port, const PortRequest& request) {
  std::string facts = ",\"port\":" + std::to_string(port);
  add_text("method", request.method, facts);
  add_text("path", request.target, facts);
  facts += ",\"headers\":{";
  std::string headers;
  for (const auto& [name, value] : request.headers) add_text(name, value, headers);
  facts += headers.empty() ? "}" : headers.substr(1) + "}";
  add_text("body", request.body, facts);
  return facts;
}

std::string log_facts(Time started, bool previous) {
  std::string facts;
  add_text("started", format_rfc3339(started), facts);
  return facts + ",\"previous\":" + (previous ? "true" : "false");
}

CommandReply read_command_reply(const ContainerAnswer& answer) {
  json::Arena arena;
  const codec::JsonRead read = codec::read_json(answer.text, arena);
  std::string fault;
  if (answer.error.empty() && read.error.empty()) {
    CommandAnswer said;
    read_command_result(json::DocumentPart(&read.value, "answer", fault), said);
    if (fault.empty()) return {std::move(said.out), std::move(said.err), said.code};
  }
  return {{}, error_of(answer, read.error.empty() ? fault : read.error) + "\n", kFailed};
}

PortReply read_port_reply(const ContainerAnswer& answer) {
  json::Arena arena;
  const codec::JsonRead read = codec::read_json(answer.text, arena);
  std::string fault;
  if (answer.error.empty() && read.error.empty()) {
    PortAnswer said;
    read_port_result(json::DocumentPart(&read.value, "answer", fault), said);
    const Value* const bytes = read.value.is_object() ? read.value.find("base64") : nullptr;
    if (bytes != nullptr) said.body = base64_decode(text_of(bytes)).value_or("");
    if (fault.empty()) return {said.status, std::move(said.headers), std::move(said.body)};
  }
  return {kBadGateway,
          {{"Content-Type", "text/plain; charset=utf-8"}},
          error_of(answer, read.error.empty() ? fault : read.error) + "\n"};
}

std::vector<LogLine> read_log_reply(const ContainerAnswer& answer) {
  json::Arena arena;
  const codec::JsonRead read = codec::read_json(answer.text, arena);
  std::string fault;
  if (answer.error.empty() && read.error.empty()) {
    std::vector<LogLine> lines;
    read_log_lines(json::DocumentPart(&read.value, "answer", fault)["log"], lines);
    if (fault.empty()) return lines;
  }
  return {{.after = {},
           .every = std::nullopt,
           .text = error_of(answer, read.error.empty() ? fault : read.error)}};
}

}  // namespace tabernetes::server
