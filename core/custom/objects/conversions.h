// Conversions of custom objects by webhook: questions of the request that needs them
// (registry/pending_work.h).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "custom/objects/custom_kind.h"
#include "json/value.h"
#include "registry/kind/pending_work.h"

namespace tabernetes::registry::custom {

// An object as JSON, without a resourceVersion.
using ObjectText = std::string;

inline constexpr std::string_view kConversion = "conversion";

// What an object is in another version of its kind. The answer's text is an ObjectText.
class ConversionQuestion final : public PendingWork::Question {
 public:
  ConversionQuestion(const CustomVersion& version, ObjectText text);

  const CustomVersion& to() const { return *to_; }
  const ObjectText& object() const { return object_; }

 private:
  std::shared_ptr<const CustomKind> owner_;  // of `to_`
  const CustomVersion* to_;
  ObjectText object_;
};

// Returns what the kind's webhook makes of `object`, which is of another version, in `to`; its
// metadata but for labels and annotations stays. Null if that is not known yet, or has failed:
// `pending` knows. REQUIRES: the kind has a webhook, the object metadata.
json::Value convert_by_webhook(const CustomVersion& to, const json::Value& object,
                               json::Arena& arena, PendingWork& pending);

}  // namespace tabernetes::registry::custom
