#include "etcd/compactor.h"

#include <string>

#include "etcd/messages.h"

namespace tabernetes::host::etcd {
namespace {

constexpr std::string_view kKey = "compact_rev_key";

}  // namespace

void Compactor::start() {
  if (interval_ <= interval_.zero()) return;
  timer_.expires_after(std::chrono::duration_cast<std::chrono::steady_clock::duration>(interval_));
  timer_.async_wait([this](const boost::system::error_code& error) {
    if (error) return;
    take_turn();
    start();
  });
}

void Compactor::take_turn() {
  client_.call(kTxn, put_if_version(kKey, std::to_string(revision_), turn_),
               [this](const CallEnd& end, const std::string& message) {
                 if (end.code != 0) return;
                 const TxnAnswer answer = read_txn(message);
                 const std::uint64_t before = revision_;
                 revision_ = answer.revision;
                 if (!answer.succeeded) {
                   if (!answer.found.empty()) turn_ = answer.found.front().version;
                   return;
                 }
                 ++turn_;
                 if (before == 0) return;
                 client_.call(kCompact, compact_request(before),
                              [](const CallEnd&, const std::string&) {});
               });
}

}  // namespace tabernetes::host::etcd
