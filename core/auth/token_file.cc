#include "auth/token_file.h"

#include "base/text/parts.h"
#include "tabernetes/options.h"

namespace tabernetes::auth {
namespace {

// Splits a line of CSV: a quoted column may contain commas, and two quotes mean one.
std::vector<std::string> columns_of(std::string_view line) {
  std::vector<std::string> columns(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') {
      if (quoted && i + 1 < line.size() && line[i + 1] == '"') {
        columns.back() += line[++i];
      } else {
        quoted = !quoted;
      }
    } else if (line[i] == ',' && !quoted) {
      columns.emplace_back();
    } else {
      columns.back() += line[i];
    }
  }
  for (std::string& column : columns) column = std::string(trim(column, " \r"));
  return columns;
}

}  // namespace

TokenFile::TokenFile(std::string_view text) {
  std::size_t number = 0;
  while (!text.empty()) {
    const std::string_view line = take_part(text, '\n');
    ++number;
    if (line.find_first_not_of(" \r") == std::string_view::npos || line.front() == '#') continue;
    const std::vector<std::string> columns = columns_of(line);
    if (columns.size() < 3 || columns[0].empty()) {
      fault_ = "line " + std::to_string(number) +
               (columns.size() < 3 ? " must have at least 3 columns (token, user name, user uid)"
                                   : " has an empty token");
      return;
    }
    Row row{columns[0], {.name = columns[1], .uid = columns[2], .groups = {}, .extra = {}}};
    if (columns.size() > 3) {
      for (std::string& group : columns_of(columns[3])) {
        if (!group.empty()) row.user.groups.push_back(std::move(group));
      }
    }
    row.user.groups.emplace_back("system:authenticated");
    rows_.push_back(std::move(row));
  }
}

const User* TokenFile::find(std::string_view token) const {
  for (std::size_t i = rows_.size(); i-- > 0;) {
    if (rows_[i].token == token) return &rows_[i].user;
  }
  return nullptr;
}

}  // namespace tabernetes::auth

namespace tabernetes {

Expected<void> check_token_file(std::string_view text) {
  const auth::TokenFile file(text);
  if (file.fault().empty()) return {};
  return Fault{file.fault()};
}

std::optional<std::string> first_token(std::string_view text) {
  return auth::TokenFile(text).first();
}

}  // namespace tabernetes
