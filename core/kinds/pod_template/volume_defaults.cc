#include "json/access.h"
#include "json/fill.h"
#include "kinds/pod_template/defaults.h"
#include "kinds/volumes/claim_spec.h"
#include "kinds/volumes/sources.h"

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

void set_volume_defaults(Value& volume, Arena& arena) {
  if (volume.size() <= 1) fill_object(volume, "emptyDir", arena);
  for (const std::string_view source : {"secret", "configMap", "downwardAPI"}) {
    if (Value* files = object_in(volume, source)) {
      fill_int(*files, "defaultMode", kFileMode, arena);
      set_downward_items_defaults(*files, arena);
    }
  }
  if (Value* projected = object_in(volume, "projected")) set_projection_defaults(*projected, arena);
  kSourceDefaults.apply(volume, arena);
  if (Value* ephemeral = object_in(volume, "ephemeral")) {
    if (Value* claim = object_in(*ephemeral, "volumeClaimTemplate")) {
      set_claim_spec_defaults(*claim, arena);
    }
  }
  if (Value* image = object_in(volume, "image")) {
    fill_text(*image, "pullPolicy", image_pull_policy(image->string_at("reference")), arena);
  }
}

}  // namespace tabernetes::registry::kinds
