#include "server/containers/ports.h"

#include <algorithm>
#include <charconv>

#include "base/text/ascii.h"
#include "base/time/http_date.h"
#include "codec/json_writer.h"
#include "json/access.h"
#include "tabernetes/reason_phrase.h"

namespace tabernetes::server {
namespace {

using json::Value;

constexpr std::size_t kMostHead = std::size_t{64} << 10;
constexpr std::size_t kMostBody = std::size_t{8} << 20;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::string_view header_of(const PortRequest& request, std::string_view name) {
  for (const auto& [key, value] : request.headers) {
    if (key == name) return value;
  }
  return {};
}

// Reads the head of a request without its empty line. Returns false if it is none.
bool read_request_head(std::string_view head, PortRequest& request, std::string& version) {
  const std::size_t line_end = std::min(head.find("\r\n"), head.size());
  const std::string_view line = head.substr(0, line_end);
  const std::size_t first = line.find(' '), last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) return false;
  request.method = line.substr(0, first);
  request.target = line.substr(first + 1, last - first - 1);
  version = line.substr(last + 1);
  if (version != "HTTP/1.1" && version != "HTTP/1.0") return false;
  head.remove_prefix(std::min(line_end + 2, head.size()));
  while (!head.empty()) {
    const std::size_t end = std::min(head.find("\r\n"), head.size());
    const std::string_view field = head.substr(0, end);
    head.remove_prefix(std::min(end + 2, head.size()));
    const std::size_t colon = field.find(':');
    if (colon == std::string_view::npos || colon == 0) return false;
    request.headers.emplace_back(ascii_lower(field.substr(0, colon)),
                                 std::string(trimmed(field.substr(colon + 1))));
  }
  return true;
}

}  // namespace

PortReply typed(PortReply reply) {
  const bool is_typed =
      std::any_of(reply.headers.begin(), reply.headers.end(),
                  [](const auto& header) { return ascii_lower(header.first) == "content-type"; });
  if (!is_typed) reply.headers.emplace_back("Content-Type", "text/plain; charset=utf-8");
  return reply;
}

PodPorts::PodPorts(const Value& pod, const ContainerRules& rules)
    : ns_(text_at(pod, {"metadata", "namespace"})),
      name_(text_at(pod, {"metadata", "name"})),
      uid_(text_at(pod, {"metadata", "uid"})),
      node_(text_at(pod, {"spec", "nodeName"})),
      address_(text_at(pod, {"status", "podIP"})) {
  for (const PortAnswer* answer : rules.ports_of(pod)) answers_.push_back(*answer);
  const bool asks = std::any_of(answers_.begin(), answers_.end(),
                                [](const PortAnswer& answer) { return !answer.url.empty(); });
  for (const Value& container : items_at(pod, {"spec", "containers"})) {
    const std::string name(container.string_at("name")), image(container.string_at("image"));
    const std::string facts = asks ? container_facts(pod, name) : std::string();
    if (declared_.empty()) declared_.push_back({0, name, image, facts});
    for (const Value& port : items_at(container, {"ports"})) {
      declared_.push_back({number_at(port, {"containerPort"}), name, image, facts});
    }
  }
}

bool PodPorts::listens(std::int64_t port) const {
  for (const PortAnswer& answer : answers_) {
    if (answer.port == port || (answer.port == 0 && answer.refuses)) return !answer.refuses;
  }
  return declared_.size() <= 1 ||
         std::any_of(declared_.begin(), declared_.end(),
                     [&](const Declared& one) { return one.port == port; });
}

const PortAnswer* PodPorts::rule_for(std::int64_t port, const PortRequest& request) const {
  for (const PortAnswer& answer : answers_) {
    if (!answer.refuses && answer.fits(port, request.method, request.target)) return &answer;
  }
  return nullptr;
}

const PodPorts::Declared& PodPorts::declared_at(std::int64_t port) const {
  static const Declared kNobody{};
  for (const Declared& one : declared_) {
    if (one.port == port) return one;
  }
  return declared_.empty() ? kNobody : declared_.front();
}

std::optional<PodPorts::Asked> PodPorts::asked(std::int64_t port,
                                               const PortRequest& request) const {
  const PortAnswer* const rule = rule_for(port, request);
  if (rule == nullptr || rule->url.empty()) return std::nullopt;
  return Asked{rule->url, declared_at(port).facts + port_facts(port, request)};
}

PortReply PodPorts::answer(std::int64_t port, const PortRequest& request) const {
  if (const PortAnswer* const rule = rule_for(port, request)) {
    return typed({.status = rule->status, .headers = rule->headers, .body = rule->body});
  }
  const Declared& who = declared_at(port);
  json::Arena arena;
  Value said = Value::object(arena);
  const auto add = [&](std::string_view key, std::string_view text) {
    said.append(arena, key, Value::string(text));
  };
  add("pod", name_);
  add("namespace", ns_);
  add("node", node_);
  add("ip", address_);
  add("container", who.container);
  add("image", who.image);
  said.append(arena, "port", Value::integer(port));
  add("method", request.method);
  add("path", request.target);
  PortReply reply{.status = 200, .headers = {{"Content-Type", "application/json"}}, .body = {}};
  codec::write_json(said, reply.body);
  reply.body += '\n';
  return reply;
}

void PortConnection::receive(std::string_view bytes) {
  if (closed_) return;
  buffer_ += bytes;
  while (!closed_ && !waits_ && read_request()) {
  }
}

void PortConnection::refuse(std::string_view status) {
  out_.append("HTTP/1.1 ")
      .append(status)
      .append("\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n");
  out_.append(status);
  closed_ = true;
}

// Answers the first request, if all of it is there. Returns false if more must come.
bool PortConnection::read_request() {
  const std::size_t end = buffer_.find("\r\n\r\n");
  if (end == std::string::npos) {
    if (buffer_.size() > kMostHead) refuse("431 Request Header Fields Too Large");
    return false;
  }
  PortRequest request;
  std::string version;
  if (!read_request_head(std::string_view(buffer_).substr(0, end), request, version)) {
    refuse("400 Bad Request");
    return false;
  }
  std::size_t at = end + 4;
  bool whole = false;
  if (!read_body(request, at, whole)) {
    refuse("400 Bad Request");
    return false;
  }
  if (!whole) return false;
  buffer_.erase(0, at);
  const std::string connection = ascii_lower(header_of(request, "connection"));
  const bool keeps = version == "HTTP/1.1" ? connection != "close" : connection == "keep-alive";
  std::optional<PodPorts::Asked> asked;
  if (ask_) asked = ports_.asked(port_, request);
  if (!asked) {
    answer(request, ports_.answer(port_, request), keeps);
    return true;
  }
  waits_ = true;
  ask_(std::move(*asked), [this, request, keeps](const ContainerAnswer& given) {
    waits_ = false;
    answer(request, typed(read_port_reply(given)), keeps);
    receive({});
    ready_();
  });
  return true;
}

void PortConnection::answer(const PortRequest& request, const PortReply& reply, bool keeps) {
  write(request, reply, keeps);
  closed_ = !keeps;
}

// Sets `whole` if all of the body is there, and `at` to its end. Returns false if it is none.
bool PortConnection::read_body(PortRequest& request, std::size_t& at, bool& whole) {
  const std::string_view rest = std::string_view(buffer_).substr(at);
  const auto size_in = [](std::string_view text, int base) -> std::optional<std::size_t> {
    std::size_t size = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, size, base);
    if (text.empty() || error != std::errc() || stopped != end || size > kMostBody) {
      return std::nullopt;
    }
    return size;
  };
  if (ascii_lower(header_of(request, "transfer-encoding")) != "chunked") {
    const std::string_view length = header_of(request, "content-length");
    const std::optional<std::size_t> size = length.empty() ? 0 : size_in(length, 10);
    if (!size) return false;
    whole = rest.size() >= *size;
    if (whole) request.body = rest.substr(0, *size);
    at += *size;
    return true;
  }
  std::size_t used = 0;
  while (true) {
    const std::size_t line = rest.find("\r\n", used);
    if (line == std::string_view::npos) return rest.size() - used < kMostHead;
    const std::string_view head = rest.substr(used, line - used);
    const std::optional<std::size_t> size =
        size_in(head.substr(0, std::min(head.find(';'), head.size())), 16);
    if (!size || request.body.size() + *size > kMostBody) return false;
    if (rest.size() < line + 2 + *size + 2) return true;
    request.body += rest.substr(line + 2, *size);
    if (rest.substr(line + 2 + *size, 2) != "\r\n") return false;
    used = line + 2 + *size + 2;
    if (*size == 0) break;
  }
  whole = true;
  at += used;
  return true;
}

void PortConnection::write(const PortRequest& request, const PortReply& reply, bool keeps) {
  out_.append("HTTP/1.1 ").append(std::to_string(reply.status)).append(" ");
  out_.append(reason_phrase(reply.status)).append("\r\n");
  for (const auto& [name, value] : reply.headers) {
    out_.append(name).append(": ").append(value).append("\r\n");
  }
  const bool empty = reply.status == 204 || reply.status == 304;
  if (!empty)
    out_.append("Content-Length: ").append(std::to_string(reply.body.size())).append("\r\n");
  out_.append("Date: ").append(format_http_date(now_)).append("\r\n");
  if (!keeps) out_.append("Connection: close\r\n");
  out_.append("\r\n");
  if (!empty && request.method != "HEAD") out_.append(reply.body);
}

}  // namespace tabernetes::server
