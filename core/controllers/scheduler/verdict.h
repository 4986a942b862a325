// The verdict of the filters on a node, and why.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tabernetes::controllers::scheduling {

// The plugins of the default profile that refuse nodes, in the order in which they run.
enum class Plugin : std::uint8_t {
  kSchedulingGates,
  kNodeUnschedulable,
  kNodeName,
  kTaintToleration,
  kNodeAffinity,
  kNodePorts,
  kNodeResourcesFit,
  kVolumeRestrictions,
  kNodeVolumeLimits,
  kVolumeBinding,
  kVolumeZone,
  kPodTopologySpread,
  kInterPodAffinity,
  kDynamicResources,
};

// A set of plugins.
class Plugins {
 public:
  void add(Plugin plugin) { bits_ |= bit(plugin); }
  void add(Plugins others) { bits_ |= others.bits_; }
  bool has(Plugin plugin) const { return (bits_ & bit(plugin)) != 0; }
  bool empty() const { return bits_ == 0; }

 private:
  static std::uint32_t bit(Plugin plugin) { return 1U << static_cast<unsigned>(plugin); }
  std::uint32_t bits_ = 0;
};

inline constexpr std::int64_t kMaxNodeScore = 100;

enum class Code : std::uint8_t {
  kFits,
  kUnschedulable,  // would fit if other pods went
  kUnresolvable,   // would not fit even then
};

struct Verdict {
  Code code = Code::kFits;
  Plugin plugin = Plugin::kNodeName;      // that refuses
  std::vector<std::string_view> reasons;  // static, or owned by the cycle

  static Verdict refuse(Code code, Plugin plugin, std::string_view reason) {
    return {code, plugin, {reason}};
  }
  bool fits() const { return code == Code::kFits; }
};

// Counts reasons over the nodes.
class Histogram {
 public:
  void add(const Verdict& verdict) {
    for (const std::string_view reason : verdict.reasons) add(reason, 1);
  }
  void add(std::string_view reason, std::size_t nodes) {
    if (nodes > 0) counts_[std::string(reason)] += nodes;
  }
  // Returns " 1 Insufficient cpu, 2 node(s) were unschedulable.", sorted as texts; empty if there
  // are no reasons.
  std::string to_string() const;

 private:
  std::map<std::string, std::size_t, std::less<>> counts_;
};

// Returns "0/3 nodes are available:" and the reasons.
std::string none_available(std::size_t nodes, const Histogram& reasons);

}  // namespace tabernetes::controllers::scheduling
