// Objects that cannot be read, as a store has them that lost a key or a disk block: what the API
// answers of them. Source: a real kube-apiserver 1.36; upstream
// pkg/storage/etcd3/corrupt_obj_deleter.go.
//
// A corrupt object keeps its last readable bytes, with a blank behind them that no other object
// has: code that does not look serves it as it was, as the real server's cache does.
#pragma once

#include <vector>

#include "base/result.h"
#include "server/request/call.h"
#include "store/record.h"

namespace tabernetes::server {

inline bool is_corrupt(const store::Record& record) { return record.bytes.ends_with(' '); }

// What for an object is read: the texts differ.
enum class ReadFor { kAnswer, kWrite };

// Fails for a corrupt object with 500; one that is asked for at version 0 is as it was.
Result<void> check_readable(const Call& call, const store::RecordPtr& record, ReadFor what);
// The same of the object that the request names, if there is one.
Result<void> check_readable(const Call& call, ReadFor what);
// The same of a page of a list.
Result<void> check_readable(const Call& call, const std::vector<store::RecordPtr>& records);

}  // namespace tabernetes::server
