// Objects that cannot be read, as a store has them that lost a key or a disk block: what the API
// answers of them, and how they come and go. Source: a real kube-apiserver 1.36; upstream
// pkg/storage/etcd3/corrupt_obj_deleter.go.
//
// A corrupt object keeps its last readable bytes, with a blank behind them that no other object
// has: whoever does not look serves it as it was, as the real server's cache does.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "server/call.h"
#include "server/cluster.h"
#include "server/negotiation.h"
#include "tabernetes/response.h"

namespace tabernetes::server {

inline bool is_corrupt(const store::Record& record) { return record.bytes.ends_with(' '); }

// What for an object is read: the texts differ.
enum class ReadFor { kAnswer, kWrite };

// Errors: 500 for a corrupt object; one that is asked for at version 0 is as it was.
Result<void> check_readable(const Call& call, const store::RecordPtr& record, ReadFor what);
// The same of the object that the request names, if there is one.
Result<void> check_readable(const Call& call, ReadFor what);
// The same of a page of a list.
Result<void> check_readable(const Call& call, const std::vector<store::RecordPtr>& records);

// Deletes a corrupt object without reading it. Errors: 422 for any other.
Result<Response> remove_unreadable(Call& call, Cluster& cluster, const Representation& form);

// Makes the object at `path`, such as /api/v1/namespaces/a/configmaps/b, a corrupt one. Empty, or
// what is wrong and nothing changed.
std::string corrupt(Cluster& cluster, std::string_view path);

}  // namespace tabernetes::server
