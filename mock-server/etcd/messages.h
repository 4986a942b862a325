// etcd's messages: requests as bytes, answers as structures. Field numbers: etcd 3.4,
// etcdserver/etcdserverpb/rpc.proto and mvcc/mvccpb/kv.proto.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tabernetes::host::etcd {

// The methods that are called.
inline constexpr std::string_view kRange = "/etcdserverpb.KV/Range";
inline constexpr std::string_view kTxn = "/etcdserverpb.KV/Txn";
inline constexpr std::string_view kCompact = "/etcdserverpb.KV/Compact";
inline constexpr std::string_view kWatch = "/etcdserverpb.Watch/Watch";
inline constexpr std::string_view kLeaseGrant = "/etcdserverpb.Lease/LeaseGrant";

struct KeyValue {
  std::string key, value;
  std::uint64_t revision = 0, version = 0;
};

// Returns the first key after all that begin with `prefix`. REQUIRES: it does not end in 0xff.
std::string end_of_prefix(std::string prefix);

struct RangeQuery {
  std::string key, end;        // `end` empty: the key alone
  std::uint64_t limit = 0;     // 0: none
  std::uint64_t revision = 0;  // 0: the newest
};
std::string range_request(const RangeQuery& query);
struct RangeAnswer {
  std::uint64_t revision = 0;
  std::vector<KeyValue> found;
  bool more = false;
};
RangeAnswer read_range(std::string_view message);

// A write of one key, if its last change was at revision `replaces` (0: it does not exist).
struct KeyWrite {
  std::string key;
  std::optional<std::string> value;  // not set: a deletion
  std::uint64_t replaces = 0;
  std::uint64_t lease = 0;
};
// All of them are done, or none.
std::string write_request(const std::vector<const KeyWrite*>& writes);
// Puts a value if the key's version is `version`; otherwise the answer has the key.
std::string put_if_version(std::string_view key, std::string_view value, std::uint64_t version);
std::string put_request(std::string_view key, std::string_view value);
struct TxnAnswer {
  std::uint64_t revision = 0;
  bool succeeded = false;
  std::vector<KeyValue> found;  // of put_if_version()
};
TxnAnswer read_txn(std::string_view message);

std::string compact_request(std::uint64_t revision);

std::string lease_request(std::uint64_t seconds);
std::uint64_t read_lease(std::string_view message);

// Watches the keys from `key` to `end` from a revision on.
std::string watch_request(std::string_view key, std::string_view end, std::uint64_t from);
struct WatchedChange {
  KeyValue to;
  bool deleted = false;
};
struct WatchAnswer {
  std::uint64_t revision = 0;  // of the storage
  bool created = false, canceled = false;
  std::uint64_t compacted = 0;  // not 0: what was asked for is not there any more
  std::string reason;           // of `canceled`
  std::vector<WatchedChange> changes;
};
WatchAnswer read_watch(std::string_view message);

}  // namespace tabernetes::host::etcd
