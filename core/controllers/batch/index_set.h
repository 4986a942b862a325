// Sets of completion indexes as a Job's status has them: "1,3-5,7".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tabernetes::controllers {

class IndexSet {
 public:
  struct Interval {
    int first = 0, last = 0;
  };

  IndexSet() = default;
  // Reads indexes below `completions`; what is no interval is left out.
  static IndexSet parse(std::string_view text, int completions);

  bool empty() const { return intervals_.empty(); }
  bool has(int index) const;
  int total() const;
  std::string to_string() const;

  void add(int index) { merge(IndexSet(index)); }
  void merge(const IndexSet& other);
  // Returns how many indexes both have.
  int overlap(const IndexSet& other) const;
  // Returns the first `count` indexes below `completions` that are missing.
  std::vector<int> missing(int count, int completions) const;

 private:
  explicit IndexSet(int index) : intervals_{{index, index}} {}

  std::vector<Interval> intervals_;  // in order, with gaps between them
};

}  // namespace tabernetes::controllers
