// Tested by tests/core/server/http/serve_content_test.cc.
#include "server/http/serve_content.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

#include "base/text/ascii.h"
#include "base/text/parts.h"
#include "base/time/http_date.h"

namespace tabernetes::server {
namespace {

enum class Comparison { kStrong, kWeak };

// Returns whether the list of tags in a header contains `tag`, or is `*`. Our tags are strong.
bool names_tag(std::string_view header, std::string_view tag, Comparison comparison) {
  while (!header.empty()) {
    std::string_view item = trim(take_part(header, ','), kBlanks);
    if (item == "*") return true;
    if (comparison == Comparison::kWeak && item.starts_with("W/")) item.remove_prefix(2);
    if (item == tag) return true;
  }
  return false;
}

class Answer {
 public:
  Answer(const Request& request, const Content& content, Response& response)
      : request_(request), content_(content), response_(response) {}

  void give() {
    if (fails_for_writers()) return fail(412);
    if (is_unchanged()) return give_unchanged();
    give_bytes();
  }

 private:
  std::string_view header(std::string_view name) const {
    return find_header(request_.headers, name);
  }
  bool is_read() const { return request_.method == "GET" || request_.method == "HEAD"; }

  // Returns whether the document is newer than the header's time; nullopt if it has no valid time.
  std::optional<bool> is_newer_than(std::string_view name) const {
    const auto time = parse_http_date(header(name));
    if (!time) return std::nullopt;
    return content_.modified.unix_seconds() > time->unix_seconds();
  }

  bool fails_for_writers() const {
    if (const std::string_view tags = header("if-match"); !tags.empty()) {
      return !names_tag(tags, content_.tag, Comparison::kStrong);
    }
    return is_newer_than("if-unmodified-since").value_or(false);
  }

  bool is_unchanged() const {
    if (const std::string_view tags = header("if-none-match"); !tags.empty()) {
      return names_tag(tags, content_.tag, Comparison::kWeak);
    }
    return is_read() && !is_newer_than("if-modified-since").value_or(true);
  }

  // A range is only used if the client has part of this version of the document.
  bool range_is_wanted() const {
    if (header("range").empty() || !is_read()) return false;
    const std::string_view tag_or_date = header("if-range");
    if (tag_or_date.empty() || tag_or_date == content_.tag) return true;
    const auto time = parse_http_date(tag_or_date);
    return time && time->unix_seconds() == content_.modified.unix_seconds();
  }

  void give_unchanged() {
    // For methods other than GET and HEAD, an unchanged document is a failed precondition.
    if (!is_read()) return fail(412);
    response_.status = 304;
    std::erase_if(response_.headers, [](const auto& h) { return h.first == "Content-Type"; });
    response_.headers.emplace_back("Etag", content_.tag);
  }

  void fail(int status) {
    response_.status = status;
    add_validators();
  }

  void add_validators() {
    response_.headers.emplace_back("Etag", content_.tag);
    response_.headers.emplace_back("Last-Modified", format_http_date(content_.modified));
  }

  struct Range {
    std::size_t first = 0, size = 0;
  };
  enum class RangeRead { kOne, kWhole, kUnsatisfiable, kMalformed };

  static bool read_number(std::string_view text, std::size_t& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
  }

  // Parses bytes=FIRST-LAST, FIRST- or -SUFFIX.
  RangeRead read_range(std::string_view text, Range& range) const {
    constexpr std::string_view kUnit = "bytes=";
    if (!text.starts_with(kUnit)) return RangeRead::kMalformed;
    text = trim(text.substr(kUnit.size()), kBlanks);
    if (text.find(',') != std::string_view::npos) return RangeRead::kWhole;
    const std::size_t dash = text.find('-');
    if (dash == std::string_view::npos) return RangeRead::kMalformed;
    const std::size_t size = content_.bytes.size();
    const std::string_view first = trim(text.substr(0, dash), kBlanks);
    const std::string_view last = trim(text.substr(dash + 1), kBlanks);
    std::size_t number = 0;
    if (first.empty()) {
      if (!read_number(last, number)) return RangeRead::kMalformed;
      range.size = std::min(number, size);
      range.first = size - range.size;
      return RangeRead::kOne;
    }
    if (!read_number(first, range.first)) return RangeRead::kMalformed;
    if (range.first >= size) return RangeRead::kUnsatisfiable;
    number = size - 1;
    if (!last.empty() && (!read_number(last, number) || number < range.first)) {
      return RangeRead::kMalformed;
    }
    range.size = std::min(number, size - 1) - range.first + 1;
    return RangeRead::kOne;
  }

  void give_bytes() {
    Range range{.first = 0, .size = content_.bytes.size()};
    RangeRead read = RangeRead::kWhole;
    if (range_is_wanted()) read = read_range(header("range"), range);
    if (read == RangeRead::kUnsatisfiable || read == RangeRead::kMalformed) {
      return refuse_range(read);
    }
    response_.headers.emplace_back("Accept-Ranges", "bytes");
    add_validators();
    if (read == RangeRead::kOne) {
      response_.status = 206;
      response_.headers.emplace_back("Content-Range",
                                     "bytes " + std::to_string(range.first) + "-" +
                                         std::to_string(range.first + range.size - 1) + "/" +
                                         std::to_string(content_.bytes.size()));
    }
    response_.body.append(Slice::shared(content_.bytes.view().substr(range.first, range.size),
                                        content_.bytes.owner()));
  }

  void refuse_range(RangeRead read) {
    response_.status = 416;
    std::erase_if(response_.headers, [](const auto& h) { return h.first == "Content-Type"; });
    response_.headers.emplace_back("Content-Type", "text/plain; charset=utf-8");
    response_.headers.emplace_back("X-Content-Type-Options", "nosniff");
    if (read == RangeRead::kUnsatisfiable) {
      response_.headers.emplace_back("Content-Range",
                                     "bytes */" + std::to_string(content_.bytes.size()));
    }
    response_.body.append_static(read == RangeRead::kUnsatisfiable
                                     ? "invalid range: failed to overlap\n"
                                     : "invalid range\n");
  }

  const Request& request_;
  const Content& content_;
  Response& response_;
};

}  // namespace

void serve_content(const Request& request, const Content& content, Response& response) {
  Answer(request, content, response).give();
}

}  // namespace tabernetes::server
