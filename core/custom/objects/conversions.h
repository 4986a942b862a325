// Conversions of custom objects by webhook, as questions of a request
// (registry/kind/pending_work.h).
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

// Asks for an object in another version of its kind. The answer's text is an ObjectText.
class ConversionQuestion final : public PendingWork::Question {
 public:
  ConversionQuestion(const CustomVersion& version, ObjectText text);

  const CustomVersion& to() const { return *to_; }
  const ObjectText& object() const { return object_; }

 private:
  std::shared_ptr<const CustomKind> owner_;  // keeps `to_` alive
  const CustomVersion* to_;
  ObjectText object_;
};

// Returns `object`, which is of another version, converted to `to` by the kind's webhook; keeps its
// metadata except labels and annotations. Returns null if the answer is missing or an error, which
// `pending` records. REQUIRES: the kind has a webhook, the object has metadata.
json::Value convert_by_webhook(const CustomVersion& to, const json::Value& object,
                               json::Arena& arena, PendingWork& pending);

}  // namespace tabernetes::registry::custom
