#include "flag_table.h"

#include <nlohmann/json.hpp>

#include "flag_table_text.h"

namespace tabernetes::host {
namespace {

using nlohmann::json;

Flag read_row(const json& row) {
  Flag flag;
  flag.name = row.at("name");
  flag.value = row.at("value");
  flag.help = row.at("help");
  flag.usual = row.value("default", "");
  flag.otherwise = row.value("otherwise", "");
  flag.repeats = row.value("repeats", false);
  flag.may_be_empty = row.value("mayBeEmpty", false);
  flag.most = row.value("most", "");
  flag.choices = row.value("choices", std::vector<std::string>());
  return flag;
}

}  // namespace

const std::vector<Flag>& flag_table() {
  static const std::vector<Flag> table = [] {
    std::vector<Flag> flags;
    for (const json& row : json::parse(kFlagTableText)) flags.push_back(read_row(row));
    return flags;
  }();
  return table;
}

const Flag* find_flag(std::string_view name) {
  for (const Flag& flag : flag_table()) {
    if (flag.name == name) return &flag;
  }
  return nullptr;
}

}  // namespace tabernetes::host
