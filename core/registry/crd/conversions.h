// What conversion webhooks make of objects, for those who need it at once.
//
// A webhook answers later, and the writer waits for nobody. So work that needs a conversion is
// done as if it was known, notes what it lacked, writes nothing, and is done again from its
// beginning when the webhook has answered: then on what is stored by then. What was learnt is kept
// for that long only.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/api_status.h"
#include "json/value.h"
#include "registry/crd/conversion_review.h"
#include "registry/crd/custom_kind.h"

namespace tabernetes::registry::crd {

class Conversions {
 public:
  // One object in another version.
  struct Wanted {
    std::shared_ptr<const CustomKind> kind;
    const CustomVersion* to = nullptr;
    ObjectText object;
    std::string key() const { return std::to_string(to->type.id) + object; }
  };

  // While it lives, work on this thread takes conversions from `conversions`.
  class Scope {
   public:
    explicit Scope(Conversions& conversions) : before_(current_) {
      current_ = &conversions;
      conversions.wanted_.clear();
      conversions.failure_.reset();
    }
    ~Scope() { current_ = before_; }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Conversions* before_;
  };
  // Null outside of any: there objects are converted as without a webhook.
  static Conversions* current() { return current_; }

  // `object` of another version of the kind in `to`; its metadata but for labels and annotations
  // stays. Null: it is not known. REQUIRES: the kind has a webhook, the object metadata.
  json::Value convert(const CustomVersion& to, const json::Value& object, json::Arena& arena);

  // What was lacking since the scope began: what has been done meanwhile does not count.
  bool incomplete() const { return !wanted_.empty(); }
  std::vector<Wanted> take_wanted() { return std::exchange(wanted_, {}); }
  // What the webhook refused or got wrong since the scope began.
  const std::optional<std::string>& failure() const { return failure_; }

  void learn(const Wanted& wanted, ReviewedObject made) { known_[wanted.key()] = std::move(made); }
  void forget() { known_.clear(); }

 private:
  static thread_local Conversions* current_;

  std::map<std::string, ReviewedObject> known_;
  std::vector<Wanted> wanted_;
  std::optional<std::string> failure_;
};

// Whether what the work on this thread came to may be written.
Result<void> check_conversions();

// Whether a webhook converts objects of the type that are stored in another version.
bool needs_webhook(const ResourceType& type);

}  // namespace tabernetes::registry::crd
