// Source: upstream 1.36 pkg/apis/networking/validation, kube-aggregator
// pkg/apis/apiregistration/validation.
#include "kinds/shared/own_names.h"

#include <string>

#include "base/go/text.h"
#include "rules/formats.h"

namespace tabernetes::registry::kinds {

// Upstream reports these errors before those of metadata, and checks generateName like a name.
void add_name_faults(const Place& place, const std::string& wanted) {
  const Field metadata = place.now["metadata"];
  field::ErrorList found;
  for (const std::string_view member : {"generateName", "name"}) {
    const std::string_view name = metadata.text_at(member);
    if (name.empty()) continue;
    Faults faults;
    if (wanted.empty()) {
      faults = canonical_ip_faults(name);
    } else if (name != wanted && path_segment_faults(name).empty()) {
      faults = {"must be `spec.version+\".\"+spec.group`: " + go_quote(wanted)};
    }
    for (const std::string& fault : faults) {
      found.push_back(field::invalid(field::Path("metadata").child(member), go_quote(name), fault));
    }
  }
  field::ErrorList& errors = place.now.errors();
  errors.insert(place.write == Write::kCreate ? errors.begin() : errors.end(), found.begin(),
                found.end());
}

}  // namespace tabernetes::registry::kinds
