#include "base/regex/pattern_classes.h"

#include <algorithm>
#include <utility>

#include "base/algorithm/sort.h"

namespace tabernetes {
namespace {

struct NamedClass {
  std::string_view name;
  std::string_view ranges;  // pairs of first and last character
};

constexpr NamedClass kClasses[] = {
    {"d", "09"},
    {"s", "\t\n\f\r  "},
    {"w", "09AZ__az"},
    {"[:alnum:]", "09AZaz"},
    {"[:alpha:]", "AZaz"},
    {"[:ascii:]", {"\0\x7f", 2}},
    {"[:blank:]", "\t\t  "},
    {"[:cntrl:]", {"\0\x1f\x7f\x7f", 4}},
    {"[:digit:]", "09"},
    {"[:graph:]", "!~"},
    {"[:lower:]", "az"},
    {"[:print:]", " ~"},
    {"[:punct:]", "!/:@[`{~"},
    {"[:space:]", "\t\r  "},
    {"[:upper:]", "AZ"},
    {"[:word:]", "09AZ__az"},
    {"[:xdigit:]", "09AFaf"},
};

// The Unicode categories in common use: exact for upper and lower case in Latin, Greek and
// Cyrillic, by blocks beyond.
struct UnicodeClass {
  std::string_view name;
  RuneRange ranges[12];
};

constexpr UnicodeClass kUnicode[] = {
    {"L",
     {{'A', 'Z'},
      {'a', 'z'},
      {0xaa, 0xaa},
      {0xb5, 0xb5},
      {0xba, 0xba},
      {0xc0, 0xd6},
      {0xd8, 0xf6},
      {0xf8, 0x2c1},
      {0x370, 0x1fff},
      {0x2c00, 0x2dff},
      {0x3005, 0xd7ff},
      {0xf900, 0x3ffff}}},
    {"Lu",
     {{'A', 'Z'}, {0xc0, 0xd6}, {0xd8, 0xde}, {0x386, 0x38f}, {0x391, 0x3ab}, {0x400, 0x42f}}},
    {"Ll", {{'a', 'z'}, {0xb5, 0xb5}, {0xdf, 0xf6}, {0xf8, 0xff}, {0x3ac, 0x3ce}, {0x430, 0x45f}}},
    {"N",
     {{'0', '9'},
      {0xb2, 0xb3},
      {0xb9, 0xb9},
      {0xbc, 0xbe},
      {0x660, 0x669},
      {0x6f0, 0x6f9},
      {0x966, 0x96f},
      {0x2070, 0x2089},
      {0x2150, 0x2189},
      {0x2460, 0x249b},
      {0xff10, 0xff19}}},
    {"Nd", {{'0', '9'}, {0x660, 0x669}, {0x6f0, 0x6f9}, {0x966, 0x96f}, {0xff10, 0xff19}}},
    {"P",
     {{'!', '#'},
      {'%', '*'},
      {',', '/'},
      {':', ';'},
      {'?', '@'},
      {'[', ']'},
      {'_', '_'},
      {'{', '{'},
      {'}', '}'},
      {0xa1, 0xa1},
      {0x2010, 0x205e},
      {0x3001, 0x3003}}},
    {"S",
     {{'$', '$'},
      {'+', '+'},
      {'<', '>'},
      {'^', '^'},
      {'`', '`'},
      {'|', '|'},
      {'~', '~'},
      {0xa2, 0xa9},
      {0xac, 0xac},
      {0x20a0, 0x20c0},
      {0x2190, 0x245f},
      {0x2500, 0x27bf}}},
    {"Z",
     {{' ', ' '},
      {0xa0, 0xa0},
      {0x1680, 0x1680},
      {0x2000, 0x200a},
      {0x2028, 0x2029},
      {0x202f, 0x202f},
      {0x205f, 0x205f},
      {0x3000, 0x3000}}},
    {"Zs",
     {{' ', ' '},
      {0xa0, 0xa0},
      {0x1680, 0x1680},
      {0x2000, 0x200a},
      {0x202f, 0x202f},
      {0x205f, 0x205f},
      {0x3000, 0x3000}}},
    {"C", {{1, 0x1f}, {0x7f, 0x9f}, {0xad, 0xad}, {0xd800, 0xf8ff}}},
    {"Cc", {{1, 0x1f}, {0x7f, 0x9f}}},
    {"M", {{0x300, 0x36f}, {0x483, 0x489}, {0x591, 0x5bd}, {0x20d0, 0x20f0}, {0xfe00, 0xfe0f}}},
    {"Latin",
     {{'A', 'Z'},
      {'a', 'z'},
      {0xaa, 0xaa},
      {0xba, 0xba},
      {0xc0, 0xd6},
      {0xd8, 0xf6},
      {0xf8, 0x2b8},
      {0x1e00, 0x1eff}}},
    {"Greek",
     {{0x370, 0x373},
      {0x375, 0x377},
      {0x37a, 0x37d},
      {0x384, 0x3e1},
      {0x3f0, 0x3ff},
      {0x1f00, 0x1ffe}}},
    {"Cyrillic", {{0x400, 0x484}, {0x487, 0x52f}, {0x1c80, 0x1c88}, {0x2de0, 0x2dff}}},
    {"Han",
     {{0x2e80, 0x2fd5},
      {0x3005, 0x3007},
      {0x3021, 0x3029},
      {0x3400, 0x4dbf},
      {0x4e00, 0x9fff},
      {0xf900, 0xfad9},
      {0x20000, 0x3134a}}},
    {"Any", {{0, kLastRune}}},
};

}  // namespace

bool add_named(std::string_view name, Runes& runes) {
  for (const NamedClass& known : kClasses) {
    if (known.name != name) continue;
    for (std::size_t i = 0; i < known.ranges.size(); i += 2) {
      runes.push_back({static_cast<unsigned char>(known.ranges[i]),
                       static_cast<unsigned char>(known.ranges[i + 1])});
    }
    return true;
  }
  return false;
}

bool add_category(std::string_view name, Runes& runes) {
  for (const UnicodeClass& known : kUnicode) {
    if (known.name != name) continue;
    for (const RuneRange& range : known.ranges) {
      if (range.last != 0) runes.push_back(range);
    }
    return true;
  }
  return false;
}

void normalise(Runes& runes) {
  sort_stable(runes, [](const RuneRange& a, const RuneRange& b) { return a.first < b.first; });
  std::size_t kept = 0;
  for (std::size_t i = 1; i < runes.size(); ++i) {
    if (runes[i].first <= runes[kept].last + 1) {
      runes[kept].last = std::max(runes[kept].last, runes[i].last);
    } else {
      runes[++kept] = runes[i];
    }
  }
  if (!runes.empty()) runes.resize(kept + 1);
}

void invert(Runes& runes) {
  normalise(runes);
  Runes others;
  char32_t next = 0;
  for (const RuneRange& range : runes) {
    if (range.first > next) others.push_back({next, range.first - 1});
    next = range.last + 1;
  }
  if (next <= kLastRune) others.push_back({next, kLastRune});
  runes = std::move(others);
}

void fold_case(Runes& runes) {
  struct Shift {
    RuneRange upper;
    int distance;
  };
  constexpr Shift kShifts[] = {{{'A', 'Z'}, 32},     {{0xc0, 0xd6}, 32},   {{0xd8, 0xde}, 32},
                               {{0x391, 0x3a1}, 32}, {{0x3a3, 0x3a9}, 32}, {{0x410, 0x42f}, 32},
                               {{0x400, 0x40f}, 80}};
  const std::size_t count = runes.size();
  for (std::size_t i = 0; i < count; ++i) {
    for (const Shift& shift : kShifts) {
      const auto distance = static_cast<char32_t>(shift.distance);
      const RuneRange range = runes[i];
      const char32_t first = std::max(range.first, shift.upper.first);
      const char32_t last = std::min(range.last, shift.upper.last);
      if (first <= last) runes.push_back({first + distance, last + distance});
      const char32_t low_first = std::max<char32_t>(range.first, shift.upper.first + distance);
      const char32_t low_last = std::min<char32_t>(range.last, shift.upper.last + distance);
      if (low_first <= low_last) runes.push_back({low_first - distance, low_last - distance});
    }
  }
}

}  // namespace tabernetes
