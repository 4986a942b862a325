// Event of events.k8s.io.
// Source: upstream 1.36 pkg/apis/core/validation.
#include "kinds/core/event.h"

#include <string>

#include "base/go/text.h"
#include "json/equality.h"
#include "kinds/events/event_conversion.h"
#include "kinds/row/kind.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kEventsEventRules, R"(
@event
on create
 series given &event-series
 eventTime required
 @event-type
 deprecatedFirstTimestamp>firstTimestamp opt bad="" "needs to be unset"
 deprecatedLastTimestamp>lastTimestamp opt bad="" "needs to be unset"
 deprecatedCount>count opt bad="" "needs to be unset"
 ?deprecatedSource.component
  deprecatedSource>source bad="" "needs to be unset"
 ?!deprecatedSource.component
  ?deprecatedSource.host
   deprecatedSource>source bad="" "needs to be unset"
on update
 ?~series
  series given &event-series
 regarding>involvedObject immutable=#core.v1.ObjectReference
 reason immutable=""
 note>message immutable=""
 deprecatedSource>source @immutable-source
 deprecatedFirstTimestamp>firstTimestamp immutable
 deprecatedLastTimestamp>lastTimestamp immutable
 deprecatedCount>count immutable=0
 reason immutable=""
 type immutable=""
 eventTime immutable
 action immutable=""
 related immutable=#core.v1.ObjectReference
 reportingController immutable=""
 reportingInstance immutable=""
)");

TAB_RULES(kEventSeriesRules, R"(
?!count>1
 count bad="" "should be at least 2"
lastObservedTime present
)");

namespace {

using json::Value;

constexpr ConvertedVersion kEventVersions[] = {
    {"v1", {"", "v1", "events"}, &event_core_to_v1, &event_v1_to_core}};

void event(const Place& place) {
  check_event(place, {"regarding", "reportingController", "note", "reportingController"});
}

void event_type(const Place& place) {
  const Field type = place.now["type"];
  if (!type.is("Normal") && !type.is("Warning")) {
    type.invalid_string("", "has invalid value: " + std::string(type.text()));
  }
}

bool is_same(const Place& place) {
  const Value* now = place.now.value();
  return now == nullptr || place.old == nullptr ? now == place.old
                                                : json::deep_equal(*now, *place.old);
}

// Prints the internal type, even if the source is missing.
void immutable_source(const Place& place) {
  if (is_same(place)) return;
  place.now.invalid_printed(R"({"Component":)" + go_quote(place.now.text_at("component")) +
                                R"(,"Host":)" + go_quote(place.now.text_at("host")) + "}",
                            field::kImmutable);
}

}  // namespace

extern const NamedCheck kEventsEventChecks[] = {
    {"event", &event},
    {"event-type", &event_type},
    {"immutable-source", &immutable_source},
};

extern const Kind kEventsEventKind{
    .group = "events.k8s.io",
    .kind = "Event",
    .strategy = {.meta_passes = {"CF", "UF", ""}, .allow_create_on_update = true, .uncached = true},
    .rules = &kEventsEventRules,
    .print = &print_event,
    .converted_versions = kEventVersions};

}  // namespace tabernetes::registry::kinds
