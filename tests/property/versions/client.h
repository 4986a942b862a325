// Requests to a cluster through its public API, and the reporting of wrong answers.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "tabernetes/api_server.h"

namespace tabernetes::property {

// Thrown by a failed expectation.
struct Mismatch {
  std::string what;
};
[[noreturn]] void fail(std::string what);
inline void expect(bool holds, const char* what) {
  if (!holds) fail(what);
}
void expect_equal(std::string_view what, std::string_view actual, std::string_view expected);
void expect_equal(std::string_view what, std::uint64_t actual, std::uint64_t expected);

// The steps of a run in words, for replaying by hand.
using Script = std::vector<std::string>;

// A JSON text and its tree.
class Document {
 public:
  explicit Document(std::string_view text);  // fails if the text is not JSON
  json::Arena arena;
  json::Value root;
};

struct Answer {
  bool arrived = false;
  int status = 0;
  Headers headers;
  std::string body;
  std::unique_ptr<Stream> stream;
};

// The path and query of a request.
class Target {
 public:
  explicit Target(std::string path) : text_(std::move(path)) {}
  Target& add(std::string_view name, std::string_view value);
  // Adds nothing if the value is empty.
  Target& add_if(std::string_view name, std::string_view value) {
    return value.empty() ? *this : add(name, value);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  bool has_query_ = false;
};

class Client {
 public:
  Client(ApiServer& server, Script* script, std::string name)
      : server_(server), script_(script), name_(std::move(name)) {}

  // Sends a request whose answer must come at once.
  Answer call(std::string_view method, const std::string& target, std::string body = {},
              Headers headers = {});
  // Sends a request whose answer may come later.
  std::shared_ptr<Answer> ask(std::string_view method, const std::string& target,
                              std::string body = {}, Headers headers = {});

  void note(std::string line);

 private:
  ApiServer& server_;
  Script* script_;
  std::string name_;  // the cluster's name in the script
};

// Fails unless the answer is a Status with that code and message; a message ending in an ellipsis
// is matched as a prefix.
void expect_status(const Answer& answer, int code, std::string_view message);

}  // namespace tabernetes::property
