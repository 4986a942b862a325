// Issues in an expression with their positions, printed as cel-go prints them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tabernetes::cel {

class Issues {
 public:
  explicit Issues(std::string_view source) : source_(source) {}

  static constexpr std::uint32_t kNowhere = 0xffffffff;

  void report(std::uint32_t offset, std::string message) {
    issues_.push_back({offset, std::move(message)});
  }
  bool empty() const { return issues_.empty(); }

  // Returns all issues by position, each with its line and a marker under it; of those after the
  // first 100, only the count.
  std::string to_string();

 private:
  struct Issue {
    std::uint32_t offset;
    std::string message;
  };

  void print(const Issue& issue, std::string& out) const;

  std::string_view source_;
  std::vector<Issue> issues_;
};

}  // namespace tabernetes::cel
