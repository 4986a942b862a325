// A file of static tokens: lines of `token,user,uid,"group1,group2"`, the groups optional. Source:
// upstream 1.36 apiserver/pkg/authentication/token/tokenfile.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "auth/user.h"

namespace tabernetes::auth {

class TokenFile {
 public:
  explicit TokenFile(std::string_view text);

  bool empty() const { return rows_.empty(); }
  // Returns the user with that token, or null. Of duplicate tokens the last counts.
  const User* find(std::string_view token) const;
  const std::string& fault() const { return fault_; }
  std::optional<std::string> first() const {
    if (rows_.empty()) return std::nullopt;
    return rows_.front().token;
  }

 private:
  struct Row {
    std::string token;
    User user;
  };
  std::vector<Row> rows_;
  std::string fault_;
};

// The file in use. One thread may replace it while others read.
class CurrentTokenFile {
 public:
  explicit CurrentTokenFile(std::string_view text) { use(text); }

  const TokenFile& get() const { return *current_.load(std::memory_order_acquire); }
  void use(std::string_view text) const {
    files_.push_back(std::make_unique<const TokenFile>(text));
    current_.store(files_.back().get(), std::memory_order_release);
  }

 private:
  // Earlier files stay, as somebody may read them still.
  mutable std::vector<std::unique_ptr<const TokenFile>> files_;
  mutable std::atomic<const TokenFile*> current_ = nullptr;
};

}  // namespace tabernetes::auth
