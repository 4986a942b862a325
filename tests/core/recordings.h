// Reads the recordings in tests/conformance/golden, for unit tests that compare our results with a
// real server's answers.
#pragma once

#include <string>
#include <string_view>

#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "data.h"
#include "json/value.h"

namespace tabernetes::tests {

// The recordings of one topic. The values that it returns live as long as it does.
class Recordings {
 public:
  explicit Recordings(const std::string& topic) {
    root_ = read_data("conformance/golden/" + topic + ".json", arena_);
  }

  // Returns the steps of a scenario; none if there is no such scenario.
  json::Range<json::Value> steps(std::string_view scenario) const {
    if (const json::Value* scenarios = root_.find("scenarios")) {
      for (const json::Value& candidate : scenarios->items()) {
        if (candidate.string_at("name") == scenario) return candidate.find("steps")->items();
      }
    }
    return {nullptr, 0};
  }

  json::Arena& arena() { return arena_; }

 private:
  json::Arena arena_;
  json::Value root_;
};

// Returns the path of a step's request; empty for a step without a request.
inline std::string_view path_of(const json::Value& step) {
  const json::Value* path = step.at({"request", "path"});
  return path != nullptr ? path->as_string() : std::string_view();
}

// Returns the body of a step's response, or null.
inline const json::Value* body_of(const json::Value& step) { return step.at({"response", "body"}); }

// Returns the value as JSON.
inline std::string to_text(const json::Value& value) {
  std::string text;
  codec::write_json(value, text);
  return text;
}

}  // namespace tabernetes::tests
