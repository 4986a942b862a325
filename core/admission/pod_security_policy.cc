#include "admission/pod_security_policy.h"

#include <algorithm>
#include <charconv>

#include "base/go/text.h"
#include "json/access.h"

namespace tabernetes::admission {
namespace {

using json::Value;

constexpr std::string_view kLevels[] = {"privileged", "baseline", "restricted"};

// Reads the labels of one mode, for level and version.
class PolicyReader {
 public:
  PolicyReader(const Value* labels, field::ErrorList& errors) : labels_(labels), errors_(errors) {}

  // Reads a level; returns whether the label exists. An invalid label selects `at_fault`.
  bool level(std::string_view mode, Level at_fault, Level& level, bool& sound) {
    const Value* label = find(mode, "");
    sound = false;
    if (label == nullptr) return false;
    const std::optional<Level> read = parse_level(text_of(*label));
    sound = read.has_value();
    level = read.value_or(at_fault);
    if (!sound) fault(mode, "", *label, "must be one of privileged, baseline, restricted");
    return true;
  }

  bool version(std::string_view mode, int& minor) {
    const Value* label = find(mode, "-version");
    if (label == nullptr) return false;
    const std::optional<int> read = parse_level_version(text_of(*label));
    minor = read.value_or(LevelVersion::kLatest);
    if (!read) fault(mode, "-version", *label, "must be \"latest\" or \"v1.x\"");
    return true;
  }

 private:
  static std::string key(std::string_view mode, std::string_view suffix) {
    return std::string(kPodSecurityLabels) + std::string(mode) + std::string(suffix);
  }
  const Value* find(std::string_view mode, std::string_view suffix) const {
    return labels_ == nullptr ? nullptr : labels_->find(key(mode, suffix));
  }
  void fault(std::string_view mode, std::string_view suffix, const Value& label,
             std::string_view why) {
    errors_.push_back(field::invalid(field::Path("metadata.labels").key(key(mode, suffix)),
                                     go_quote(label.as_string()), why));
  }

  const Value* labels_;
  field::ErrorList& errors_;
};

}  // namespace

std::string LevelVersion::text() const {
  return std::string(kLevels[static_cast<int>(level)]) +
         (minor == kLatest ? ":latest" : ":v1." + std::to_string(minor));
}

std::optional<Level> parse_level(std::string_view text) {
  for (int i = 0; i < 3; ++i) {
    if (text == kLevels[i]) return static_cast<Level>(i);
  }
  return std::nullopt;
}

std::optional<int> parse_level_version(std::string_view text) {
  if (text == "latest") return LevelVersion::kLatest;
  if (!text.starts_with("v1.")) return std::nullopt;
  text.remove_prefix(3);
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size() && number >= 0;
  if (!whole || (text.size() > 1 && text.front() == '0')) return std::nullopt;
  return std::min(number, LevelVersion::kLatest - 1);
}

PodSecurityPolicy policy_of_labels(const Value* labels, const PodSecurityPolicy& defaults,
                                   field::ErrorList& errors) {
  PodSecurityPolicy policy = defaults;
  PolicyReader reader(labels, errors);
  bool enforces = false;
  bool sound = false;
  reader.level("enforce", Level::kRestricted, policy.enforce.level, enforces);
  reader.version("enforce", policy.enforce.minor);
  reader.level("audit", Level::kPrivileged, policy.audit.level, sound);
  reader.version("audit", policy.audit.minor);
  const bool warns = reader.level("warn", Level::kPrivileged, policy.warn.level, sound);
  const bool warns_of_version = reader.version("warn", policy.warn.minor);
  // By default, enforcement also warns about objects that create pods.
  if (!warns && enforces && policy.enforce.level > policy.warn.level) {
    policy.warn.level = policy.enforce.level;
    if (!warns_of_version) policy.warn.minor = policy.enforce.minor;
  }
  return policy;
}

}  // namespace tabernetes::admission
