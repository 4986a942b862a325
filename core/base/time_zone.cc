#include "base/time_zone.h"

namespace tabernetes {
namespace {

constexpr std::string_view kAreas =
    " Africa America Antarctica Arctic Asia Atlantic Australia Brazil Canada Chile Etc Europe "
    "Indian "
    "Mexico Pacific US ";
constexpr std::string_view kNames =
    " CET CST6CDT Cuba EET EST EST5EDT Egypt Eire Factory GB GB-Eire GMT GMT+0 GMT-0 GMT0 "
    "Greenwich HST "
    "Hongkong Iceland Iran Israel Jamaica Japan Kwajalein Libya Local MET MST MST7MDT NZ NZ-CHAT "
    "Navajo PRC "
    "PST8PDT Poland Portugal ROC ROK Singapore Turkey UCT UTC Universal W-SU WET Zulu ";

bool has_word(std::string_view list, std::string_view word) {
  if (word.empty() || word.find(' ') != std::string_view::npos) return false;
  for (std::size_t i = list.find(word); i != std::string_view::npos; i = list.find(word, i + 1)) {
    if (list[i - 1] == ' ' && list[i + word.size()] == ' ') return true;
  }
  return false;
}

}  // namespace

bool is_time_zone(std::string_view name) {
  const std::size_t slash = name.find('/');
  if (name.empty()) return true;  // as Go has it: UTC
  if (slash == std::string_view::npos) return has_word(kNames, name);
  return slash > 0 && slash + 1 < name.size() && has_word(kAreas, name.substr(0, slash));
}

}  // namespace tabernetes
