// A bounded cache of texts that expire by the cluster's clock.
#pragma once

#include <list>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "tabernetes/time.h"

namespace tabernetes::registry {

class ExpiringCache {
 public:
  explicit ExpiringCache(std::size_t most) : most_(most) {}
  ExpiringCache(const ExpiringCache&) = delete;
  ExpiringCache& operator=(const ExpiringCache&) = delete;

  // Returns the text of `key`, or null. It is valid until the next put().
  const std::string* find(std::string_view key, Time now);
  // Keeps a text until `until`. If there are too many, the one that was not used for the longest
  // time goes.
  void put(std::string key, std::string text, Time until);

 private:
  struct Entry {
    std::string key, text;
    Time until;
  };
  using Entries = std::list<Entry>;  // those used last come first

  std::size_t most_;
  Entries entries_;
  std::map<std::string_view, Entries::iterator> by_key_;
};

}  // namespace tabernetes::registry
