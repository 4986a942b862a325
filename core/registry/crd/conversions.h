// Conversions of custom objects by webhook: questions of the request that needs them
// (registry/pending_work.h).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "json/value.h"
#include "registry/crd/custom_kind.h"
#include "registry/pending_work.h"

namespace tabernetes::registry::crd {

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

// Returns whether a webhook converts objects of the type that are stored in another version.
bool needs_webhook(const ResourceType& type);

}  // namespace tabernetes::registry::crd
