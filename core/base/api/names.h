// Format checks for names, label keys and label values. Each function returns the list of problems
// in the API's words, empty if the text is valid. Source: spec/lifecycle.md 1.8, 1.9; upstream
// 1.36: apimachinery pkg/util/validation and pkg/api/validate/content.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tabernetes {

using Faults = std::vector<std::string>;

// Labels of lower-case letters, digits and '-', joined by dots; at most 253 characters.
Faults dns1123_subdomain_faults(std::string_view text);
// One such label; at most 63 characters.
Faults dns1123_label_faults(std::string_view text);
// A DNS-1123 label that begins with a letter.
Faults dns1035_label_faults(std::string_view text);
// One segment of a URL path: not "." or "..", without '/' and '%'.
Faults path_segment_faults(std::string_view text);
// A prefix of a path segment.
Faults path_segment_prefix_faults(std::string_view text);
// [prefix/]name: keys of labels and annotations, and finalizers.
Faults qualified_name_faults(std::string_view text);
// Empty, or the same format as the name part of a qualified name.
Faults label_value_faults(std::string_view text);
// A key of a ConfigMap or Secret.
Faults config_key_faults(std::string_view text);
// The name of an environment variable.
Faults environment_name_faults(std::string_view text);
Faults header_name_faults(std::string_view text);

}  // namespace tabernetes
