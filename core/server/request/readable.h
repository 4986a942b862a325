// Corrupt objects, as in a store that lost a key or a disk block, and the API's errors for them.
// Source: a real kube-apiserver 1.36; upstream pkg/storage/etcd3/corrupt_obj_deleter.go.
//
// A corrupt object keeps its last readable bytes, with a trailing blank that no other object has:
// code that does not check serves it unchanged, as the real server's cache does.
#pragma once

#include <vector>

#include "base/api/result.h"
#include "server/request/request_context.h"
#include "store/record.h"

namespace tabernetes::server {

inline bool is_corrupt(const store::Record& record) { return record.bytes.ends_with(' '); }

// The purpose of reading an object, which determines the error message.
enum class ReadPurpose { kAnswer, kWrite };

// Returns 500 for a corrupt object, unless it is read at version 0.
Result<void> check_readable(const RequestContext& call, const store::RecordPtr& record,
                            ReadPurpose what);
// Checks the object that the request names, if it exists.
Result<void> check_readable(const RequestContext& call, ReadPurpose what);
// Checks a page of a list.
Result<void> check_readable(const RequestContext& call,
                            const std::vector<store::RecordPtr>& records);

}  // namespace tabernetes::server
