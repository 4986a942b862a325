// The file of --config: YAML, a mapping from the names of flags to their values.
//
//   listen: [127.0.0.1:8001, "[::1]:8001"]
//   seed: 7
//   ui: false
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tabernetes::host {

// Where something stands in a file, counted from 1.
struct Place {
  int line = 1, column = 1;

  friend bool operator==(const Place&, const Place&) = default;
};

struct ConfigValue {
  std::string text;  // as a command line would have it
  Place place;
};

struct ConfigEntry {
  std::string flag;  // without dashes
  Place place;
  bool is_list = false;
  std::vector<ConfigValue> values;  // one, unless it is a list
};

// What is wrong with the file, and where.
class ConfigError : public std::runtime_error {
 public:
  ConfigError(Place place, const std::string& what) : std::runtime_error(what), place_(place) {}

  Place place() const { return place_; }

 private:
  Place place_;
};

// The entries of one document, in order; none of an empty one. A scalar is its text, whatever YAML
// takes it for. Throws a ConfigError for what is no mapping of names to scalars and lists of them,
// for a name that stands twice, and for a second document.
std::vector<ConfigEntry> parse_config(const std::string& text);

// What to say of a flag that there is none of: `unknown flag "lisen", did you mean "listen"?`
std::string unknown_flag(std::string_view name, const std::vector<std::string>& known);

}  // namespace tabernetes::host
