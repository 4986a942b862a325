// What is wrong with an expression, and where: printed as cel-go does.
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

  // All of them by place, with the line and a mark under it; after 100 only their number.
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
