#include "client.h"

#include "codec/json_reader.h"

namespace tabernetes::property {

void fail(std::string what) { throw Mismatch{std::move(what)}; }

void expect_equal(std::string_view what, std::string_view actual, std::string_view expected) {
  if (actual == expected) return;
  fail(std::string(what) + "\n  is:        " + std::string(actual) +
       "\n  should be: " + std::string(expected));
}

void expect_equal(std::string_view what, std::uint64_t actual, std::uint64_t expected) {
  if (actual != expected) expect_equal(what, std::to_string(actual), std::to_string(expected));
}

Document::Document(std::string_view text) {
  const codec::JsonRead read = codec::read_json(text, arena);
  if (!read.ok()) fail("no JSON: " + read.error + ": " + std::string(text));
  root = read.value;
}

Target& Target::add(std::string_view name, std::string_view value) {
  text_ += has_query_ ? '&' : '?';
  has_query_ = true;
  text_ += name;
  text_ += '=';
  static constexpr char kHex[] = "0123456789ABCDEF";
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                       (byte >= '0' && byte <= '9') || byte == '-' || byte == '_' || byte == '.';
    if (plain) {
      text_ += c;
    } else {
      text_ += {'%', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return *this;
}

void Client::note(std::string line) {
  if (script_ != nullptr) script_->push_back(name_ + " " + std::move(line));
}

std::shared_ptr<Answer> Client::ask(std::string_view method, const std::string& target,
                                    std::string body, Headers headers) {
  std::string line = std::string(method) + " " + target;
  for (const auto& [name, value] : headers) line += "\n      " + name + ": " + value;
  if (!body.empty()) line += "\n      " + body;
  note(std::move(line));
  auto answer = std::make_shared<Answer>();
  Request request{.method = std::string(method), .target = target, .headers = std::move(headers)};
  request.body = std::move(body);
  server_.handle(std::move(request), [answer](Response response) {
    if (answer->arrived) std::abort();  // a second answer: a bug that no run can report
    answer->arrived = true;
    answer->status = response.status;
    answer->headers = std::move(response.headers);
    answer->body = response.body.flatten();
    answer->stream = std::move(response.stream);
  });
  if (script_ != nullptr) {
    script_->back() += answer->arrived ? "\n      -> " + std::to_string(answer->status)
                                       : std::string("\n      -> waits");
  }
  return answer;
}

Answer Client::call(std::string_view method, const std::string& target, std::string body,
                    Headers headers) {
  const auto answer = ask(method, target, std::move(body), std::move(headers));
  expect(answer->arrived, "the answer waits");
  return std::move(*answer);
}

void expect_status(const Answer& answer, int code, std::string_view message) {
  if (answer.status != code) {
    fail("status " + std::to_string(answer.status) + ", should be " + std::to_string(code) + " " +
         std::string(message) + "\n  body: " + answer.body);
  }
  const Document document(answer.body);
  expect_equal("kind", document.root.string_at("kind"), "Status");
  const json::Value* own = document.root.find("code");
  expect(own != nullptr && own->is_int() && own->as_int() == code, "the Status has another code");
  std::string_view text = document.root.string_at("message");
  constexpr std::string_view kMore = "…";
  if (message.ends_with(kMore)) {
    message.remove_suffix(kMore.size());
    text = text.substr(0, message.size());
  }
  expect_equal("message", text, message);
}

}  // namespace tabernetes::property
