// Event of events.k8s.io.
// Source: upstream 1.36 pkg/apis/core/validation.
#include "kinds/convert_event.h"
#include "kinds/kinds.h"
#include "kinds/printers.h"

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

namespace {

constexpr ConvertedVersion kEventVersions[] = {
    {"v1", {"", "v1", "events"}, &event_core_to_v1, &event_v1_to_core}};

}  // namespace

const Kind kEventsEventKind{
    .group = "events.k8s.io",
    .kind = "Event",
    .strategy = {.meta_passes = {"CF", "UF", ""}, .allow_create_on_update = true, .uncached = true},
    .rules = &kEventsEventRules,
    .print = &print_event,
    .converted_versions = kEventVersions};

}  // namespace tabernetes::registry::kinds
