// The formats of names are in base/names.h: expressions know them too.
#pragma once

#include "base/names.h"

namespace tabernetes::registry {

using tabernetes::config_key_faults;
using tabernetes::dns1035_label_faults;
using tabernetes::dns1123_label_faults;
using tabernetes::dns1123_subdomain_faults;
using tabernetes::environment_name_faults;
using tabernetes::Faults;
using tabernetes::header_name_faults;
using tabernetes::label_value_faults;
using tabernetes::path_segment_faults;
using tabernetes::path_segment_prefix_faults;
using tabernetes::qualified_name_faults;

}  // namespace tabernetes::registry
