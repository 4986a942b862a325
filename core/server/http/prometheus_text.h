// Prometheus' text format 0.0.4.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tabernetes::server {

using Labels = std::vector<std::pair<std::string_view, std::string>>;

class PrometheusText {
 public:
  // `# HELP` and `# TYPE` of the samples that follow.
  void family(std::string_view name, std::string_view type, std::string_view help);
  // Of the last family. Labels are written in the order given: by name, as Go's client does.
  void sample(const Labels& labels, double value);
  void sample(std::string_view suffix, const Labels& labels, double value);

  std::string take() { return std::move(text_); }

 private:
  std::string name_, text_;
};

// "0.005", "1e+09", "+Inf": as Go's strconv prints with 'g'.
std::string prometheus_number(double value);

}  // namespace tabernetes::server
