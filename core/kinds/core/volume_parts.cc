// What persistent volumes and claims share: cells, warnings about annotations, printed changes.
// Source: upstream 1.36 printers/internalversion/printers.go, pkg/api/persistentvolume/util.go.
#include "kinds/core/volume_parts.h"

#include <string>
#include <utility>
#include <vector>

#include "base/text/parts.h"
#include "json/access.h"
#include "kinds/row/rules.h"
#include "kinds/shared/line_diff.h"
#include "registry/kind/warnings.h"
#include "rules/internal_form.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Value;

}  // namespace

std::string access_modes_text(json::Range<Value> modes) {
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

std::string_view volume_status(const Value& object) {
  if (has(object, {"metadata", "deletionTimestamp"})) return "Terminating";
  return text_at(object, {"status", "phase"});
}

std::string_view storage_class_of(const Value& object) {
  const Value* annotation =
      object.at({"metadata", "annotations", "volume.beta.kubernetes.io/storage-class"});
  if (annotation != nullptr && annotation->is_string()) return annotation->as_string();
  return text_at(object, {"spec", "storageClassName"});
}

std::string capacity_text(const Value* quantity) {
  const std::string text = scalar_text(quantity);
  return text.empty() ? "0" : text;
}

void warn_of_annotation(const Field& object, std::string_view key, std::string_view text,
                        Warnings& out) {
  const Field metadata = object["metadata"];
  const Field annotations = metadata["annotations"];
  if (annotations.find(key) != nullptr) out.at(annotations.key(key), {text});
}

std::string shown_difference(const Value& old, const Value& now, std::string_view type) {
  return line_diff(print_internal_indented(old, type), print_internal_indented(now, type));
}

}  // namespace tabernetes::registry::kinds
