#include "kinds/defaults_volume.h"

#include "base/time/rfc3339.h"
#include "json/access.h"
#include "json/fill.h"
#include "kinds/default_rules.h"
#include "kinds/defaults_pod.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Arena;
using json::Value;

constexpr std::int64_t kFileMode = 0644;

void set_downward_items_defaults(Value& source, Arena& arena) {
  for (Value& item : items_in(source, "items")) {
    if (Value* field = object_in(item, "fieldRef")) fill_text(*field, "apiVersion", "v1", arena);
  }
}

void set_projection_defaults(Value& projected, Arena& arena) {
  fill_int(projected, "defaultMode", kFileMode, arena);
  for (Value& source : items_in(projected, "sources")) {
    if (Value* token = object_in(source, "serviceAccountToken")) {
      fill_int(*token, "expirationSeconds", 3600, arena);
    }
    if (Value* downward = object_in(source, "downwardAPI")) {
      set_downward_items_defaults(*downward, arena);
    }
  }
}

}  // namespace

void set_csi_driver_defaults(const HookContext& context, Value& object) {
  if (!context.gates.enabled("VolumeLimitScaling")) return;
  fill_bool(object_or_new(object, "spec", context.arena), "preventPodSchedulingIfMissing", false,
            context.arena);
}

void set_claim_spec_defaults(Value& claim, Arena& arena) {
  fill(object_or_new(claim, "spec", arena), "volumeMode", Value::string("Filesystem"), arena);
}

void set_volume_defaults(Value& volume, Arena& arena) {
  if (volume.size() <= 1) fill_object(volume, "emptyDir", arena);
  for (const std::string_view source : {"secret", "configMap", "downwardAPI"}) {
    if (Value* files = object_in(volume, source)) {
      fill_int(*files, "defaultMode", kFileMode, arena);
      set_downward_items_defaults(*files, arena);
    }
  }
  if (Value* projected = object_in(volume, "projected")) set_projection_defaults(*projected, arena);
  validation::kSourceDefaults.fill_in(volume, arena);
  if (Value* ephemeral = object_in(volume, "ephemeral")) {
    if (Value* claim = object_in(*ephemeral, "volumeClaimTemplate")) {
      set_claim_spec_defaults(*claim, arena);
    }
  }
  if (Value* image = object_in(volume, "image")) {
    fill_text(*image, "pullPolicy", image_pull_policy(image->string_at("reference")), arena);
  }
}

void prepare_persistent_volume_for_create(const HookContext& context, Value& volume) {
  if (Value* status = object_in(volume, "status")) {
    status->set(context.arena, "lastPhaseTransitionTime",
                Value::string(context.arena.copy(format_rfc3339(context.now))));
  }
}

void prepare_persistent_volume_subresource(const HookContext& context, Subresource subresource,
                                           Value& volume, const Value& old) {
  constexpr std::string_view kSince = "lastPhaseTransitionTime";
  Value* status = object_in(volume, "status");
  const Value* before = old.find("status");
  if (subresource != Subresource::kStatus || status == nullptr || before == nullptr) return;
  if (status->string_at("phase") == before->string_at("phase") ||
      (status->find(kSince) != nullptr && status->string_at(kSince) != before->string_at(kSince))) {
    return;
  }
  status->set(context.arena, kSince,
              Value::string(context.arena.copy(format_rfc3339(context.now))));
}

}  // namespace tabernetes::registry::kinds
