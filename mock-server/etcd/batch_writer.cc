#include "etcd/batch_writer.h"

#include <algorithm>
#include <utility>

namespace tabernetes::host::etcd {
namespace {

// gRPC's codes of errors after which nothing was stored.
constexpr int kInvalidArgument = 3, kPermissionDenied = 7, kResourceExhausted = 8,
              kFailedPrecondition = 9, kUnauthenticated = 16;

bool is_definite(int code) {
  return code == kInvalidArgument || code == kPermissionDenied || code == kResourceExhausted ||
         code == kFailedPrecondition || code == kUnauthenticated;
}

}  // namespace

BatchWriter::BatchWriter(Client& client, Leases& leases, const std::string& prefix,
                         const store::Batch& batch)
    : client_(client), leases_(leases), prefix_(prefix), size_(batch.changes.size()) {
  plan(batch);
}

void BatchWriter::plan(const store::Batch& batch) {
  std::map<std::string_view, std::size_t> last_of;  // by key
  for (std::size_t i = 0; i < batch.changes.size(); ++i) {
    const store::Change& change = batch.changes[i];
    if (!change.with_previous || transactions_.empty()) transactions_.emplace_back();
    const std::size_t number = transactions_.size() - 1;
    Transaction& transaction = transactions_.back();
    KeyWrite& write = transaction.writes.emplace_back();
    write.key = prefix_ + change.key;
    if (change.value) write.value = change.value->flatten();
    write.replaces = change.replaces;
    transaction.changes.push_back(i);
    transaction.ttl = std::max(transaction.ttl, change.ttl);
    makers_[change.revision] = number;
    const auto [last, fresh] = last_of.emplace(change.key, number);
    if (!fresh && last->second != number) transaction.after.push_back(last->second);
    last->second = number;
  }
  left_ = transactions_.size();
  for (std::size_t i = 0; i < transactions_.size(); ++i) {
    if (!transactions_[i].after.empty()) dependent_.push_back(i);
  }
}

void BatchWriter::write(std::function<void()> done) {
  done_ = std::move(done);
  writing_ = true;
  for (std::size_t i = 0; i < transactions_.size(); ++i) {
    if (ready(transactions_[i])) begin(i);
  }
  writing_ = false;
  if (left_ == 0) std::exchange(done_, nullptr)();
}

bool BatchWriter::ready(const Transaction& transaction) const {
  return transaction.state == State::kWaits &&
         std::all_of(transaction.after.begin(), transaction.after.end(), [&](std::size_t before) {
           const State state = transactions_[before].state;
           return state != State::kWaits && state != State::kSent;
         });
}

void BatchWriter::begin(std::size_t number) {
  Transaction& transaction = transactions_[number];
  for (const std::size_t before : transaction.after) {
    if (transactions_[before].state != State::kStored) {
      return finish_one(transaction, State::kRefused);
    }
  }
  for (KeyWrite& write : transaction.writes) {
    if (write.replaces < store::kFirstTentative) continue;
    const auto maker = makers_.find(write.replaces);
    if (maker == makers_.end()) return finish_one(transaction, State::kRefused);
    write.replaces = transactions_[maker->second].revision;
  }
  transaction.state = State::kSent;
  if (transaction.ttl == 0) return send(number);
  leases_.get(transaction.ttl, [this, number](const CallEnd& end, std::uint64_t lease) {
    if (end.code != 0) return on_answer(number, end, {});
    for (KeyWrite& write : transactions_[number].writes) write.lease = lease;
    send(number);
  });
}

void BatchWriter::send(std::size_t number) {
  std::vector<const KeyWrite*> writes;
  for (const KeyWrite& write : transactions_[number].writes) writes.push_back(&write);
  client_.call(kTxn, write_request(writes),
               [this, number](const CallEnd& end, const std::string& message) {
                 on_answer(number, end, message);
               });
}

void BatchWriter::on_answer(std::size_t number, const CallEnd& end, std::string_view message) {
  Transaction& transaction = transactions_[number];
  if (end.code == 0) {
    const TxnAnswer answer = read_txn(message);
    transaction.revision = answer.succeeded ? answer.revision : 0;
    return finish_one(transaction, answer.succeeded ? State::kStored : State::kRefused);
  }
  if (is_definite(end.code)) fault_ = end.message;
  finish_one(transaction, is_definite(end.code) ? State::kRefused : State::kUnknown);
}

void BatchWriter::finish_one(Transaction& transaction, State state) {
  transaction.state = state;
  --left_;
  for (const std::size_t dependent : dependent_) {
    if (ready(transactions_[dependent])) begin(dependent);
  }
  if (left_ == 0 && !writing_ && done_) std::exchange(done_, nullptr)();
}

bool BatchWriter::unknown() const {
  return std::any_of(transactions_.begin(), transactions_.end(),
                     [](const Transaction& each) { return each.state == State::kUnknown; });
}

void BatchWriter::resolve(const std::vector<store::StoredChange>& stored) {
  for (Transaction& transaction : transactions_) {
    if (transaction.state != State::kUnknown) continue;
    transaction.state = State::kRefused;
    const KeyWrite& write = transaction.writes.front();
    for (const store::StoredChange& change : stored) {
      if (change.revision <= write.replaces || change.value != write.value) continue;
      if (std::string_view(write.key).substr(prefix_.size()) != change.key) continue;
      transaction.state = State::kStored;
      transaction.revision = change.revision;
    }
  }
}

std::vector<std::uint64_t> BatchWriter::revisions() const {
  std::vector<std::uint64_t> all(size_);
  for (const Transaction& transaction : transactions_) {
    if (transaction.state != State::kStored) continue;
    for (const std::size_t change : transaction.changes) all[change] = transaction.revision;
  }
  return all;
}

std::uint64_t BatchWriter::last() const {
  std::uint64_t last = 0;
  for (const Transaction& transaction : transactions_) last = std::max(last, transaction.revision);
  return last;
}

}  // namespace tabernetes::host::etcd
