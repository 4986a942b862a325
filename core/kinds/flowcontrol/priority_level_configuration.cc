// PriorityLevelConfiguration of flowcontrol.apiserver.k8s.io. Source: upstream 1.36
// pkg/apis/flowcontrol/validation.
#include <cmath>
#include <string>

#include "json/access.h"
#include "kinds/row/kind.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kPriorityLevelConfigurationRules, R"(
on create update
 spec
  ?type=Exempt
   ?/metadata.name!=exempt
    type bad "must be 'Exempt' if and only if `name` is 'exempt'"
   limited forbid "must be nil if the type is not Limited"
   exempt &exempt-level
  ?type!=Exempt
   ?/metadata.name=exempt
    type bad "must be 'Exempt' if and only if `name` is 'exempt'"
  ?type=Limited
   exempt forbid "must be nil if the type is Limited"
   limited present "must not be empty when type is Limited"
    nominalConcurrencyShares ge:0 "must be a non-negative integer"
    limitResponse
     ?type=Reject
      queuing forbid "must be nil if limited.limitResponse.type is not Limited"
     ?type=Queue
      queuing present "must not be empty if limited.limitResponse.type is Limited"
       queueLengthLimit ge:1 "must be positive"
       queues ge:1 "must be positive" le:10000000 "must not be greater than 10000000"
       @hand-size
     ?type!=Reject|Queue
      type enum:Queue,Reject
    lendablePercent given range:0-100
    borrowingLimitPercent given ge:0 "if specified, must be a non-negative integer"
  ?type!=Exempt|Limited
   type enum:Exempt,Limited
 status.conditions[].type distinct required
on status
 status.conditions[].type distinct required
)");

TAB_DEFAULTS(kPriorityLevelConfigurationDefaults, R"(
spec made
 exempt given
  nominalConcurrencyShares,lendablePercent fill=0
 limited given
  nominalConcurrencyShares fill=30
  lendablePercent fill=0
  limitResponse.queuing given
   queues number=64
   handSize number=8
   queueLengthLimit number=50
)");

TAB_RULES(kExemptLevelRules, R"(
nominalConcurrencyShares given ge:0 "must be a non-negative integer"
lendablePercent given range:0-100
)");

namespace {

using json::Value;

// Prints a member of a priority level's queuing, or <none>.
void print_queuing(const Value& object, std::string_view member, Row& row) {
  if (!has(object, {"spec", "limited", "limitResponse", "queuing"})) {
    row.text(kNone);
  } else {
    row.number(number_at(object, {"spec", "limited", "limitResponse", "queuing", member}));
  }
}

void print_priority_level_configuration(const Value& object, Row& row) {
  row.name(object);
  row.text(text_at(object, {"spec", "type"}));
  if (has(object, {"spec", "limited"})) {
    row.number(number_at(object, {"spec", "limited", "nominalConcurrencyShares"}));
  } else {
    row.text(kNone);
  }
  print_queuing(object, "queues", row);
  print_queuing(object, "handSize", row);
  print_queuing(object, "queueLengthLimit", row);
  row.age(object);
}

void hand_size(const Place& place) {
  const Field hand = place.now["handSize"];
  const std::int64_t size = hand.number();
  const std::int64_t queues = place.now.number_at("queues");
  const std::string shown = std::to_string(size);
  if (size <= 0) {
    hand.invalid_printed(shown, "must be positive");
  } else if (size > queues) {
    hand.invalid_printed(shown,
                         "should not be greater than queues (" + std::to_string(queues) + ")");
  } else {
    const double bits =
        std::ceil(std::log2(static_cast<double>(queues)) * static_cast<double>(size));
    if (bits > 60) {
      hand.invalid_printed(shown, "required entropy bits of deckSize " + std::to_string(queues) +
                                      " and handSize " + shown + " should not be greater than 60");
    }
  }
}

}  // namespace

extern const NamedCheck kPriorityLevelConfigurationChecks[] = {
    {"hand-size", &hand_size},
};

extern const Kind kPriorityLevelConfigurationKind{
    .group = "flowcontrol.apiserver.k8s.io",
    .kind = "PriorityLevelConfiguration",
    .strategy = {.meta_passes = {"CF", "CF", ""},
                 .reset_fields = kMetadataResets,
                 .lists_may_lack_keys = true,
                 .generation = Generation::kSpec,
                 .status_keeps_metadata = true,
                 .status_metadata = "resourceVersion"},
    .rules = &kPriorityLevelConfigurationRules,
    .defaults = &kPriorityLevelConfigurationDefaults,
    .print = &print_priority_level_configuration};

}  // namespace tabernetes::registry::kinds
