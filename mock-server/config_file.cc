// Parses with yaml-cpp, which knows the position of each node. It throws; exceptions are allowed in
// the host.
#include "config_file.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <numeric>

namespace tabernetes::host {
namespace {

Place place_of(const YAML::Mark& mark) { return {mark.line + 1, mark.column + 1}; }

// Returns `node`, the value of flag `key` or an item of it. An empty value has no position of its
// own.
ConfigValue read_value(const YAML::Node& key, const YAML::Node& node) {
  if (node.IsNull()) throw ConfigError(place_of(key.Mark()), key.Scalar() + ": a value is needed");
  if (!node.IsScalar()) {
    throw ConfigError(place_of(node.Mark()), key.Scalar() + ": a single value is needed");
  }
  return {node.Scalar(), place_of(node.Mark())};
}

ConfigEntry read_entry(const YAML::Node& key, const YAML::Node& value) {
  const Place place = place_of(key.Mark());
  if (!key.IsScalar()) throw ConfigError(place, "the name of a flag is needed");
  ConfigEntry entry{key.Scalar(), place, value.IsSequence(), {}};
  if (entry.is_list) {
    for (const YAML::Node& item : value) entry.values.push_back(read_value(key, item));
  } else {
    entry.values.push_back(read_value(key, value));
  }
  return entry;
}

// Returns the Levenshtein distance: the number of characters to change, add or remove to turn one
// text into the other.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t corner = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = corner + (a[i] == b[j] ? 0 : 1);
      corner = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, corner + 1});
    }
  }
  return row.back();
}

}  // namespace

std::vector<ConfigEntry> parse_config(const std::string& text) {
  std::vector<YAML::Node> documents;
  try {
    documents = YAML::LoadAll(text);
  } catch (const YAML::Exception& error) {
    throw ConfigError(place_of(error.mark), "no YAML: " + error.msg);
  }
  if (documents.size() > 1) {
    throw ConfigError(place_of(documents[1].Mark()), "a second document");
  }
  std::vector<ConfigEntry> entries;
  if (documents.empty() || documents[0].IsNull()) return entries;
  if (!documents[0].IsMap()) {
    throw ConfigError(place_of(documents[0].Mark()), "a mapping from flags to values is needed");
  }
  for (const auto& pair : documents[0]) {
    entries.push_back(read_entry(pair.first, pair.second));
    const ConfigEntry& entry = entries.back();
    const auto first = std::find_if(entries.begin(), entries.end(), [&](const ConfigEntry& other) {
      return other.flag == entry.flag;
    });
    if (first + 1 != entries.end()) {
      throw ConfigError(entry.place, entry.flag + ": given in line " +
                                         std::to_string(first->place.line) + " already");
    }
  }
  return entries;
}

std::string unknown_flag(std::string_view name, const std::vector<std::string>& known) {
  std::string what = "unknown flag \"" + std::string(name) + '"';
  const auto nearest =
      std::min_element(known.begin(), known.end(), [&](const auto& one, const auto& other) {
        return distance(name, one) < distance(name, other);
      });
  if (nearest != known.end() && 3 * distance(name, *nearest) <= nearest->size()) {
    what += ", did you mean \"" + *nearest + "\"?";
  }
  return what;
}

}  // namespace tabernetes::host
