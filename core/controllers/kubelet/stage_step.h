// What of a KWOK Stage each pod decides: delays, weights and more that are read from its own
// members, for example from annotations. Source: kwok 0.7 pkg/utils/lifecycle,
// pkg/utils/expression.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "tabernetes/time.h"

namespace tabernetes::controllers::kubelet {

// A jq expression that follows members: `.metadata.annotations["a/b"]`, `.status.phase`.
class StagePath {
 public:
  // Returns nothing for any other expression.
  static std::optional<StagePath> parse(std::string_view expression);
  // Returns the member of the object; null if it has none, or JSON's null.
  const json::Value* find(const json::Value& object) const;

 private:
  std::vector<std::string> names_;
};

// A number of a Stage: a fixed one, or what a path finds.
struct StageNumber {
  std::optional<std::int64_t> fixed;
  std::optional<StagePath> from;

  // Returns nothing if there is neither, or what is found is no number.
  std::optional<std::int64_t> of(const json::Value& pod) const;
};

struct StageSpan {
  std::optional<Duration> fixed;
  std::optional<StagePath> from;

  // Returns nothing if there is neither, or what is found is neither a span nor a time. A time
  // counts from `now`.
  std::optional<Duration> of(const json::Value& pod, Time now) const;
};

struct StageStep {
  enum class Kind { kStart, kInitStart, kExit, kInitExit, kStop };

  Kind kind = Kind::kStart;
  std::string name;  // of the Stage
  StageNumber weight;
  StageSpan duration, jitter;
  std::optional<StagePath> container;  // the only container that it is about
  StageNumber exit_code;               // nothing: as the rule says

  // Returns how long the step is waited for. Between the duration and the jitter it is spread over
  // the pods, the same for one pod always.
  Duration delay_of(const json::Value& pod) const;
};

// Returns which of the steps, which all match the pod, it takes: by their weights, spread over the
// pods. REQUIRES: there is one.
const StageStep* choose_step(const std::vector<const StageStep*>& steps, const json::Value& pod);

}  // namespace tabernetes::controllers::kubelet
