// A manifest of many pods for the benchmarks.
#pragma once

#include <string>

// Returns a List of `count` pods made from `pod`, whose name ends in ########.
inline std::string manifest_of(const std::string& pod, int count) {
  std::string list = R"({"apiVersion":"v1","kind":"List","items":[)";
  list.reserve(pod.size() * static_cast<std::size_t>(count) * 11 / 10);
  const std::size_t place = pod.find("########");
  for (int i = 0; i < count; ++i) {
    if (i > 0) list += ',';
    const std::size_t begin = list.size();
    list += pod;
    std::string digits = std::to_string(i);
    digits.insert(0, 8 - digits.size(), '0');
    list.replace(begin + place, 8, digits);
  }
  return list + "]}";
}
