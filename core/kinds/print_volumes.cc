// Cells of volumes and claims. Source: upstream 1.36 printers/internalversion/printers.go.
#include <string>
#include <utility>
#include <vector>

#include "base/text/parts.h"
#include "json/access.h"
#include "kinds/printers.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"

namespace tabernetes::registry {
namespace {

using json::Value;

// Returns "RWO,RWX": without duplicates, in a fixed order.
std::string access_modes(json::Range<Value> modes) {
  constexpr std::pair<std::string_view, std::string_view> kShort[] = {
      {"ReadWriteOnce", "RWO"},
      {"ReadOnlyMany", "ROX"},
      {"ReadWriteMany", "RWX"},
      {"ReadWriteOncePod", "RWOP"},
  };
  std::vector<std::string> texts;
  for (const auto& [name, text] : kShort) {
    for (const Value& mode : modes) {
      if (!mode.is_string() || mode.as_string() != name) continue;
      texts.emplace_back(text);
      break;
    }
  }
  return join(texts, ",");
}

std::string_view status_text(const Value& object) {
  if (has(object, {"metadata", "deletionTimestamp"})) return "Terminating";
  return text_at(object, {"status", "phase"});
}

// The annotation that preceded the field takes precedence.
std::string_view storage_class(const Value& object) {
  const Value* annotation =
      object.at({"metadata", "annotations", "volume.beta.kubernetes.io/storage-class"});
  if (annotation != nullptr && annotation->is_string()) return annotation->as_string();
  return text_at(object, {"spec", "storageClassName"});
}

std::string capacity_text(const Value* quantity) {
  const std::string text = scalar_text(quantity);
  return text.empty() ? "0" : text;
}

std::string claim_text(const Value& volume) {
  if (!has(volume, {"spec", "claimRef"})) return {};
  return std::string(text_at(volume, {"spec", "claimRef", "namespace"})) + "/" +
         std::string(text_at(volume, {"spec", "claimRef", "name"}));
}

}  // namespace

void print_persistent_volume(const Value& object, Row& row) {
  row.name(object);
  row.text(capacity_text(object.at({"spec", "capacity", "storage"})));
  row.text(access_modes(items_at(object, {"spec", "accessModes"})));
  row.text(text_at(object, {"spec", "persistentVolumeReclaimPolicy"}));
  row.text(status_text(object));
  row.text(claim_text(object));
  row.text(storage_class(object));
  row.text(text_if_set(object, {"spec", "volumeAttributesClassName"}, kUnset));
  row.text(text_at(object, {"status", "reason"}));
  row.age(object);
  row.text(text_if_set(object, {"spec", "volumeMode"}, kUnset));
}

void print_persistent_volume_claim(const Value& object, Row& row) {
  const std::string_view volume = text_at(object, {"spec", "volumeName"});
  row.name(object);
  row.text(status_text(object));
  row.text(volume);
  row.text(volume.empty() ? std::string()
                          : capacity_text(object.at({"status", "capacity", "storage"})));
  row.text(volume.empty() ? std::string()
                          : access_modes(items_at(object, {"status", "accessModes"})));
  row.text(storage_class(object));
  row.text(text_if_set(object, {"spec", "volumeAttributesClassName"}, kUnset));
  row.age(object);
  row.text(text_if_set(object, {"spec", "volumeMode"}, kUnset));
}

}  // namespace tabernetes::registry
