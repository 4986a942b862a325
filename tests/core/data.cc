#include "data.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace tabernetes::tests {
namespace {

using Json = nlohmann::json;
using json::Value;

// Builds our tree from the events of nlohmann's reader.
class TreeBuilder : public nlohmann::json_sax<Json> {
 public:
  explicit TreeBuilder(json::Arena& arena) : arena_(arena) {}

  Value root;
  std::string problem;

  bool null() override { return add(Value::null()); }
  bool boolean(bool value) override { return add(Value::boolean(value)); }
  bool number_integer(number_integer_t value) override { return add(Value::integer(value)); }
  bool number_unsigned(number_unsigned_t value) override {
    if (value <= INT64_MAX) return add(Value::integer(static_cast<std::int64_t>(value)));
    return add_float(static_cast<double>(value), std::to_string(value));
  }
  bool number_float(number_float_t value, const string_t& text) override {
    return add_float(value, text);
  }
  bool string(string_t& value) override {
    return add(Value::string(value.empty() ? "" : arena_.copy(value)));
  }
  bool binary(binary_t&) override { return false; }  // not in JSON

  bool start_object(std::size_t) override { return open(Value::object(arena_)); }
  bool start_array(std::size_t) override { return open(Value::array(arena_)); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    key_ = arena_.copy(name);
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const Json::exception& error) override {
    problem = error.what();
    return false;
  }

 private:
  bool add(Value value) {
    if (open_.empty()) {
      root = value;
    } else if (open_.back().is_array()) {
      open_.back().push_back(arena_, value);
    } else {
      open_.back().append(arena_, key_, value);
    }
    return true;
  }
  bool add_float(double value, std::string_view text) {
    return add(Value::number(arena_, value, arena_.copy(text)));
  }
  bool open(Value container) {
    add(container);
    open_.push_back(container);
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  json::Arena& arena_;
  std::vector<Value> open_;
  std::string_view key_;
};

}  // namespace

json::Value read_data(const std::string& path, json::Arena& arena) {
  std::ifstream file(TAB_SOURCE_DIR "/tests/" + path);
  if (!file) throw std::runtime_error("cannot read tests/" + path);
  TreeBuilder builder(arena);
  if (!Json::sax_parse(file, &builder)) throw std::runtime_error(path + ": " + builder.problem);
  return builder.root;
}

}  // namespace tabernetes::tests
