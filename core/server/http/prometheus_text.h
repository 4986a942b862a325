// A writer of Prometheus' text format 0.0.4.
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
  // Writes `# HELP` and `# TYPE` for the following samples.
  void family(std::string_view name, std::string_view type, std::string_view help);
  // Writes a sample of the last family. Labels are written in the given order: by name, as in Go's
  // client.
  void sample(const Labels& labels, double value);
  void sample(std::string_view suffix, const Labels& labels, double value);

  std::string take() { return std::move(text_); }

 private:
  std::string name_, text_;
};

// Formats a number as Go's strconv does with 'g': "0.005", "1e+09", "+Inf".
std::string prometheus_number(double value);

}  // namespace tabernetes::server
