#include "custom/definition/definition_approval.h"

#include <string>

#include "base/go/text.h"
#include "base/go/url.h"
#include "json/access.h"

namespace tabernetes::registry::custom {

using json::Value;
using validation::Field;

ApiApproval parse_api_approval(std::string_view annotation) {
  if (annotation.empty()) return ApiApproval::kMissing;
  if (annotation.starts_with("unapproved")) return ApiApproval::kBypassed;
  const std::size_t host = annotation.find("://");
  const bool url = is_go_request_uri(annotation) && host != std::string_view::npos && host > 0 &&
                   host + 3 < annotation.size() && annotation[host + 3] != '/';
  return url ? ApiApproval::kApproved : ApiApproval::kInvalid;
}

bool is_community_group(std::string_view group) {
  return group == "k8s.io" || group.ends_with(".k8s.io") || group == "kubernetes.io" ||
         group.ends_with(".kubernetes.io");
}

void check_api_approval(const Field& object, const Field* old) {
  if (!is_community_group(object["spec"].text_at("group"))) return;
  const auto annotation_of = [](const Field& of) {
    const Value* text = of.value()->at({"metadata", "annotations", kApprovalAnnotation});
    return text_of(text);
  };
  const ApiApproval approval = parse_api_approval(annotation_of(object));
  if (old != nullptr && approval == parse_api_approval(annotation_of(*old))) return;
  const Field metadata = object["metadata"];
  const Field annotations = metadata["annotations"];
  const Field annotation = annotations.key(kApprovalAnnotation);
  const std::string before =
      "protected groups must have approval annotation " + go_quote(kApprovalAnnotation);
  static constexpr std::string_view kSee =
      ", see https://github.com/kubernetes/enhancements/pull/1111";
  if (approval == ApiApproval::kMissing) {
    annotation.required(before + std::string(kSee));
  } else if (approval == ApiApproval::kInvalid) {
    annotation.invalid(before + " with either a URL or a reason starting with \"unapproved\"" +
                       std::string(kSee));
  }
}

}  // namespace tabernetes::registry::custom
