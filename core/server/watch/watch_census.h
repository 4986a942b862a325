// How many watches hear of a write, as far as its path tells: those of its object, of its namespace
// and of all objects of its resource. Source: upstream 1.36
// apiserver/pkg/util/flowcontrol/watch_tracker.go.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace tabernetes::server {

class WatchCensus {
 public:
  // What is watched or written; an empty namespace or name means all.
  struct Subject {
    std::string_view group, resource, ns, name;
  };

  // Counts a watch as long as it lives.
  class Entry {
   public:
    Entry() = default;  // counts nothing
    // REQUIRES: `census` outlives this object.
    Entry(WatchCensus& census, std::string key);
    Entry(Entry&& other) noexcept
        : census_(std::exchange(other.census_, nullptr)), key_(std::move(other.key_)) {}
    Entry& operator=(Entry&& other) noexcept {
      std::swap(census_, other.census_);
      std::swap(key_, other.key_);
      return *this;
    }
    ~Entry();

   private:
    WatchCensus* census_ = nullptr;
    std::string key_;
  };

  // Returns the text by which watches of the subject are counted.
  static std::string key_of(const Subject& subject);
  // Returns the number of watches that hear of a write.
  int hearers(const Subject& written) const;

 private:
  int count(const std::string& key) const;

  std::unordered_map<std::string, int> counts_;  // by key
};

}  // namespace tabernetes::server
