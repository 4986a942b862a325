#include "controllers/api/legacy_token_tracking.h"

#include "base/time/iso_date.h"
#include "controllers/shared/objects.h"
#include "json/access.h"
#include "json/fill.h"
#include "kinds/shared/legacy_tokens.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr std::string_view kHome = "kube-system";
constexpr Duration kCreationInterval = Duration::from_seconds(30 * 60);

registry::WriteContext server_write(const ReconcileContext& cluster) {
  registry::WriteContext context = cluster.context();
  context.manager = "kube-apiserver";
  return context;
}

}  // namespace

void LegacyTokenTracking::on_change(const registry::Registry&, const WatchEvent& change) {
  const bool of_home = change.name == kHome && is(change.type, kNamespaces);
  if (of_home || (change.ns == kHome && change.name == registry::kinds::kTokenTracking &&
                  is(change.type, kConfigMaps))) {
    queue_.add("", change.due());
  }
}

void LegacyTokenTracking::reconcile(const ReconcileContext& cluster, const std::string& key) {
  json::Arena& arena = cluster.arena;
  const Value present = get(cluster, kConfigMaps, kHome, registry::kinds::kTokenTracking);
  const std::string today = format_date(cluster.now);
  if (present.is_null()) {
    if (made_ && cluster.now < *made_ + kCreationInterval) {
      return queue_.add(key, *made_ + kCreationInterval, Recurrence::kPeriodic);
    }
    Value data = object_of({{registry::kinds::kTrackedSince, text_value(today, arena)}}, arena);
    const Value metadata =
        object_of({{"name", Value::string(registry::kinds::kTokenTracking)}}, arena);
    const auto created =
        cluster.registry.create(server_write(cluster), type_of(cluster.registry, kConfigMaps),
                                kHome, object_of({{"metadata", metadata}, {"data", data}}, arena));
    if (created) made_ = cluster.now;
  } else if (!parse_date(text_at(present, {"data", registry::kinds::kTrackedSince}))) {
    (void)cluster.registry.update(
        server_write(cluster), ref_of(cluster, kConfigMaps, present), registry::Subresource::kNone,
        [&](const Value* stored) -> Result<Value> {
          Value changed = stored->clone(arena);
          object_or_new(changed, "data", arena)
              .set(arena, registry::kinds::kTrackedSince, text_value(today, arena));
          return changed;
        });
  }
}

}  // namespace tabernetes::controllers
