// Writes a batch to etcd: a transaction for each change, or for those that go together, all at once
// except where one needs another's revision.
//
// Lives on one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "etcd/client.h"
#include "etcd/leases.h"
#include "etcd/messages.h"
#include "tabernetes/backend.h"

namespace tabernetes::host::etcd {

class BatchWriter {
 public:
  // What became of a transaction.
  enum class State { kWaits, kSent, kStored, kRefused, kUnknown };

  // REQUIRES: the references outlive this object.
  BatchWriter(Client& client, Leases& leases, const std::string& prefix, const store::Batch& batch);
  BatchWriter(const BatchWriter&) = delete;
  BatchWriter& operator=(const BatchWriter&) = delete;

  // Sends what can be sent. Calls `done` when no transaction is under way any more; that may be
  // before this returns, and destroys nothing.
  void write(std::function<void()> done);

  // The rest is for when it is done:

  // Returns whether the outcome of a transaction is unknown, as its connection was lost.
  bool unknown() const;
  // Finds out about those, given all that has been stored since; what is not there was not stored.
  void resolve(const std::vector<store::StoredChange>& stored);
  // Returns what is wrong with the storage or a change; empty: nothing.
  const std::string& fault() const { return fault_; }
  // Returns the revision of each change; 0: not stored.
  std::vector<std::uint64_t> revisions() const;
  // Returns the greatest of them.
  std::uint64_t last() const;

 private:
  struct Transaction {
    std::vector<KeyWrite> writes;
    std::vector<std::size_t> changes;  // their places in the batch
    std::vector<std::size_t> after;    // transactions that come first
    std::uint64_t ttl = 0;
    State state = State::kWaits;
    std::uint64_t revision = 0;
  };

  void plan(const store::Batch& batch);
  bool ready(const Transaction& transaction) const;
  void begin(std::size_t number);
  void send(std::size_t number);
  void on_answer(std::size_t number, const CallEnd& end, std::string_view message);
  void finish_one(Transaction& transaction, State state);

  Client& client_;
  Leases& leases_;
  const std::string& prefix_;
  const std::size_t size_;
  std::vector<Transaction> transactions_;
  std::vector<std::size_t> dependent_;  // those that come after others
  // By tentative revision: the transaction that gives another one.
  std::map<std::uint64_t, std::size_t> makers_;
  std::size_t left_ = 0;
  bool writing_ = false;
  std::string fault_;
  std::function<void()> done_;
};

}  // namespace tabernetes::host::etcd
