#include "server/http/prometheus_text.h"

#include <cmath>

#include "base/numbers/float_digits.h"

namespace tabernetes::server {
namespace {

void append_escaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '\\' || c == '"') out += '\\';
    out += c;
  }
}

}  // namespace

std::string prometheus_number(double value) {
  if (std::isinf(value)) return value < 0 ? "-Inf" : "+Inf";
  return go_g_float(value);
}

void PrometheusText::family(std::string_view name, std::string_view type, std::string_view help) {
  name_ = name;
  text_.append("# HELP ").append(name).append(" ").append(help).append("\n");
  text_.append("# TYPE ").append(name).append(" ").append(type).append("\n");
}

void PrometheusText::sample(const Labels& labels, double value) { sample("", labels, value); }

void PrometheusText::sample(std::string_view suffix, const Labels& labels, double value) {
  text_.append(name_).append(suffix);
  char before = '{';
  for (const auto& [name, label] : labels) {
    text_ += before;
    text_.append(name).append("=\"");
    append_escaped(text_, label);
    text_ += '"';
    before = ',';
  }
  if (!labels.empty()) text_ += '}';
  text_.append(" ").append(prometheus_number(value)).append("\n");
}

}  // namespace tabernetes::server
