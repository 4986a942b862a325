// Tested by tests/core/server/cluster/node_port_range_test.cc.
#include "server/cluster/node_port_range.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

#include "base/algorithm/sort.h"
#include "codec/protobuf_reader.h"
#include "codec/protobuf_wire.h"
#include "codec/protobuf_wire_reader.h"
#include "codec/protobuf_writer.h"
#include "kinds/core/allocations.h"
#include "registry/objects/object_record.h"
#include "server/cluster/cluster.h"

namespace tabernetes::server {
namespace {

using json::Value;
using Ports = NodePortRange::Ports;

constexpr std::string_view kServiceKeys = "core/services/", kServicePaths = "services/specs/";
constexpr std::string_view kRangeVersion = "v1", kRangeKind = "RangeAllocation";
// The fields of a RangeAllocation.
constexpr std::uint32_t kRangeField = 2, kDataField = 3;
constexpr std::string_view kRange = "30000-32767";
// Empty metadata in gogo's form, and the range.
constexpr std::string_view kFreshHead(
    "\x0a\x10\x0a\0\x12\0\x1a\0\x22\0\x2a\0\x32\0\x38\0\x42\0\x12\x0b"
    "30000-32767",
    31);

// Returns the ports whose bits are set in a number that begins with its highest byte.
Ports read_bits(std::string_view bytes, std::int64_t first) {
  Ports ports;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[bytes.size() - 1 - i]);
    for (unsigned bit = 0; byte >> bit != 0; ++bit) {
      if ((byte >> bit & 1) != 0) ports.push_back(first + static_cast<std::int64_t>(8 * i + bit));
    }
  }
  return ports;
}

std::string write_bits(const Ports& ports, std::int64_t first) {
  std::string bytes;
  for (const std::int64_t port : ports) {
    if (port < first) continue;
    const auto at = static_cast<std::size_t>(port - first);
    if (bytes.size() <= at / 8) bytes.resize(at / 8 + 1);
    bytes[at / 8] = static_cast<char>(bytes[at / 8] | 1 << at % 8);
  }
  std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

Ports ports_of(const Cluster& cluster, const store::RecordPtr& record) {
  Ports ports;
  if (!record) return ports;
  json::Arena arena;
  const registry::ResourceType& type = *cluster.registry.resources().find("", "v1", "services");
  const Value object = registry::read_object(type, *record, arena);
  const Value* spec = object.find("spec");
  if (spec == nullptr || !spec->is_object()) return ports;
  const auto add = [&ports](const Value* port) {
    if (port != nullptr && port->is_int() && port->as_int() != 0) ports.push_back(port->as_int());
  };
  const Value* items = spec->find("ports");
  if (items != nullptr && items->is_array()) {
    for (const Value& item : items->items()) add(item.find("nodePort"));
  }
  add(spec->find("healthCheckNodePort"));
  sort_stable(ports);
  ports.erase(std::unique(ports.begin(), ports.end()), ports.end());
  return ports;
}

// Returns the ports of all Services in a state.
Ports all_ports(const Cluster& cluster, const store::Tree& tree) {
  Ports all;
  std::string end(kServiceKeys);
  ++end.back();
  tree.scan(kServiceKeys, end, [&](std::string_view, const store::RecordPtr& record) {
    for (const std::int64_t port : ports_of(cluster, record)) all.push_back(port);
    return true;
  });
  sort_stable(all);
  return all;
}

Ports without(const Ports& ports, const Ports& these) {
  Ports rest;
  std::set_difference(ports.begin(), ports.end(), these.begin(), these.end(),
                      std::back_inserter(rest));
  return rest;
}

Ports together(const Ports& ports, const Ports& more) {
  Ports all;
  std::set_union(ports.begin(), ports.end(), more.begin(), more.end(), std::back_inserter(all));
  return all;
}

}  // namespace

void NodePortRange::take(std::optional<std::string_view> value, std::uint64_t revision) {
  if (revision <= seen_) return;
  seen_ = revision;
  revision_ = value ? revision : 0;
  good_ = true;
  head_.clear();
  ports_.clear();
  if (!value) return;
  const codec::ProtobufEnvelope envelope = codec::read_protobuf_envelope(*value);
  std::string error = envelope.error;
  codec::WireReader in(envelope.message, error);
  codec::FieldTag tag;
  std::string_view range, bits;
  while (in.next({}, tag)) {
    const bool text = tag.wire == static_cast<std::uint8_t>(codec::WireType::kBytes);
    if (tag.number == kDataField && text) {
      in.bytes(bits);
      continue;
    }
    if (!(tag.number == kRangeField && text ? in.bytes(range) : in.skip())) break;
    head_ += in.field();
  }
  const char* const end = range.data() + range.size();
  const auto read = std::from_chars(range.data(), end, first_);
  good_ = error.empty() && envelope.kind == kRangeKind && read.ec == std::errc() &&
          read.ptr != end && *read.ptr == '-';
  if (good_) ports_ = read_bits(bits, first_);
}

std::string NodePortRange::write(const Ports& ports) const {
  const bool fresh = head_.empty();
  const std::string bits =
      write_bits(ports, fresh ? registry::kinds::ServicePorts::kFirst : first_);
  std::string message(fresh ? kFreshHead : std::string_view(head_));
  char varint[codec::kLongestVarint];
  message += static_cast<char>(kDataField << 3 | static_cast<unsigned>(codec::WireType::kBytes));
  message.append(varint, codec::encode_varint(bits.size(), varint));
  message += bits;
  std::string value;
  codec::write_protobuf_envelope_head(kRangeVersion, kRangeKind, message.size(), value);
  value += message;
  value += codec::kProtobufEnvelopeTail;
  return value;
}

std::vector<NotedPorts> note_node_ports(const Cluster& cluster, store::Batch& batch) {
  // Tentative revisions that the store does not use.
  constexpr std::uint64_t kFirstOwn = store::kFirstTentative | std::uint64_t{1} << 61;
  const store::History& history = cluster.store.history();
  const std::size_t begin = history.end() - batch.changes.size();
  std::vector<NotedPorts> noted;
  std::vector<store::Change> changes;
  std::uint64_t replaces = cluster.node_ports.revision();
  std::optional<Ports> ports;
  for (std::size_t i = 0; i < batch.changes.size(); ++i) {
    changes.push_back(std::move(batch.changes[i]));
    if (!cluster.node_ports.good() || !changes.back().key.starts_with(kServicePaths)) continue;
    const store::Event& event = *history.at(begin + i);
    const Ports before = ports_of(cluster, event.previous), now = ports_of(cluster, event.current);
    if (before == now) continue;
    if (!ports) {
      // Where nobody has noted any, those of the earlier Services are as well.
      ports = replaces != 0 ? cluster.node_ports.ports()
                            : all_ports(cluster, cluster.store.settled_tree());
    }
    ports = together(without(*ports, before), now);
    store::Change& change = changes.emplace_back();
    change.key = NodePortRange::kPath;
    change.revision = kFirstOwn + noted.size();
    change.replaces = std::exchange(replaces, change.revision);
    change.with_previous = true;
    std::string value = cluster.node_ports.write(*ports);
    change.value = Rope(value);
    noted.push_back({changes.size() - 1, std::move(value)});
  }
  batch.changes = std::move(changes);
  return noted;
}

void settle_node_ports(Cluster& cluster, const std::vector<NotedPorts>& noted,
                       store::Outcome& outcome) {
  std::vector<std::uint64_t>& revisions = outcome.revisions;
  for (auto each = noted.rbegin(); each != noted.rend(); ++each) {
    if (each->at >= revisions.size()) continue;
    const std::uint64_t revision = revisions[each->at];
    if (revision != 0) cluster.node_ports.take(each->value, revision);
    revisions.erase(revisions.begin() + static_cast<std::ptrdiff_t>(each->at));
  }
}

void reserve_node_ports(Cluster& cluster) {
  json::Arena arena;
  registry::Allocations& allocations =
      registry::allocations_of(cluster.registry.hook_context({.arena = arena, .now = cluster.now}));
  if (allocations.known) return;
  for (const std::int64_t port : cluster.node_ports.ports()) allocations.ports.take(port);
}

}  // namespace tabernetes::server
