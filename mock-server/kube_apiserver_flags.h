// The flags of kube-apiserver 1.36, all of them. Source: its --help.
#pragma once

#include <span>
#include <string_view>

namespace tabernetes::host {

struct KubeApiserverFlag {
  enum class Use {
    kTaken,    // it has an effect, or none that clients of a test would see
    kRefused,  // what it asks for is not there, and its absence would be seen
  };

  std::string_view name;
  std::string_view type;  // as --help writes it
  Use use;
};

// Returns all flags by name, without --help and --version.
std::span<const KubeApiserverFlag> kube_apiserver_flags();

// Returns null for an unknown flag.
const KubeApiserverFlag* find_kube_apiserver_flag(std::string_view name);

}  // namespace tabernetes::host
