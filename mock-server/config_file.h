// Reads the file of --config: YAML, a mapping from flag names to values.
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

// A position in a file, counted from 1.
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
  std::vector<ConfigValue> values;  // one, or several for a list
};

// An error in the file, with its position.
class ConfigError : public std::runtime_error {
 public:
  ConfigError(Place place, const std::string& what) : std::runtime_error(what), place_(place) {}

  Place place() const { return place_; }

 private:
  Place place_;
};

// Returns the entries of one document, in order; none if the document is empty. A scalar is
// returned as its text, whatever type YAML gives it. Throws a ConfigError if the document is not a
// mapping of names to scalars and lists of scalars, if a name occurs twice, or if there is a second
// document.
std::vector<ConfigEntry> parse_config(const std::string& text);

// Returns the message for an unknown flag: `unknown flag "lisen", did you mean "listen"?`
std::string unknown_flag(std::string_view name, const std::vector<std::string>& known);

}  // namespace tabernetes::host
