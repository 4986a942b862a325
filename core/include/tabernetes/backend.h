// The port behind which a host keeps what a cluster stores: a file, a database, another server.
//
// The contract. A cluster with a backend (Options::backend) runs in memory as every other one, and
// its store is the one point that orders all changes. But a change is tentative at first: the core
// collects what has changed into a batch and proposes it, and until the backend says that the batch
// is durable, nobody outside sees it: no answer, no view, no watch event depends on it. Requests
// that wait for it hold no thread, and reads go on from the newest durable state meanwhile.
//
//   core                                    backend
//   propose(batch 1: one request)  ------>  begins to write
//   (more requests write, tentatively)
//                                  <------  done({kDurable})
//   shows batch 1: views, watch events, answers
//   propose(batch 2: all of those) ------>  ...
//
// - One batch is under way at a time; what is written meanwhile makes the next one. So many small
//   writes share one commit, and the longer a commit takes, the more of them.
// - propose() must not block, and must not fail by itself: `done` gives every result, once, in
//   propose() or later. `done` must be called where ApiServer::handle() may be called: on the
//   writer's strand, not in a Reply or a wake-up, and not after the ApiServer is destroyed.
//   A second call for the same batch is ignored.
// - kDurable: the batch is stored as a whole and survives whatever the backend promises to survive.
// - kFailed: nothing of it is stored, or nobody can know. The core goes back to the earlier state.
//   Requests that have written, also those of the next batch, get 500 with the fault; others that
//   waited are done again. /readyz fails with the fault and control loops rest until a batch is
//   durable: the next request that writes brings one, and after a second without any an empty batch
//   asks whether it works again.
// - kConflict: nothing of it is stored, because others have changed the store. The core goes back,
//   makes the changes of `others`, and does all waiting requests again from their beginning, as
//   those that wait for webhooks. So a conflict looks to clients as if the others had come first.
// - Revisions rise, and none is proposed twice: what was undone leaves a gap.
//
// A backend need not be told what is in the values. tests/core/server/front/backend_test.cc holds
// the core to this contract with a backend in memory that is slow, fails, conflicts and answers
// twice.
//
// Shared storage. A backend that is shared() has storage to which other servers write, too. What
// differs then:
//
// - The storage numbers the changes: the revisions in a batch are tentative, at least
//   kFirstTentative, and mean nothing outside of it. kDurable says at which revision each change
//   was stored, or that it was not, because its key was at another revision than `replaces`. The
//   changes of a batch are independent of each other, except that `with_previous` ones are stored
//   together with the one before, at one revision, and that a change that replaces a tentative
//   revision follows the change that has it. There are no kConflict outcomes: requests whose
//   changes were not stored are done again.
// - What others have stored comes with an outcome, or is fetched by take_news() while no batch is
//   under way. A backend calls what it was given by listen() when there is some.
// - While a batch is under way no request that may write is begun, so every batch begins with what
//   is stored.
// - A request that must see the newest state waits for catch_up().
// - A request that the storage keeps waiting is answered as by kube-apiserver, 504, after 34
// seconds
//   if it writes, after 60 if it reads, and sooner with `?timeout=`. What it has written may still
//   become durable then. So outcomes and answers may take that long, if the storage may come back.
// - Keys are kube-apiserver's paths in etcd without their prefix ("pods/default/a"), and values are
//   its bytes: protobuf in an envelope, or JSON. `random`, `clock` and `oldest` mean nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tabernetes/buffer.h"
#include "tabernetes/expected.h"
#include "tabernetes/time.h"

namespace tabernetes::store {

// A change of one key, as it is proposed.
struct Change {
  std::string key;             // of bytes that are valid UTF-8, without NUL
  std::uint64_t revision = 0;  // of this change
  std::uint64_t replaces = 0;  // the revision at which the key must be; 0: it must not exist
  Time time;
  std::optional<Rope> value;  // not set: the key is deleted
  // For shared storage:
  bool with_previous = false;  // is stored together with the change before, or neither is
  std::uint64_t ttl = 0;       // the seconds after which the key goes by itself; 0: never
};

// Tentative revisions are not less than this.
inline constexpr std::uint64_t kFirstTentative = std::uint64_t{1} << 62;

// A change as it was stored.
struct StoredChange {
  std::string key;
  std::uint64_t revision = 0;
  Time time;
  std::optional<std::string> value;  // not set: the key was deleted
};

// Changes that become durable together or not at all. Any thread may read it.
struct Batch {
  // The changes are the whole state, in the order of their keys: what was stored before is no
  // longer needed, history included. `replaces` means nothing then.
  bool whole = false;
  std::vector<Change> changes;  // otherwise by rising revision; may be empty
  std::uint64_t revision = 0;   // of the cluster after them
  // States before this revision are no longer asked for: what is needed for those alone may go.
  std::uint64_t oldest = 0;
  Time clock;  // the cluster's time
  // The state of the random number generator; not set: the host supplies randomness.
  std::optional<std::uint64_t> random;
};

struct Outcome {
  enum class Kind { kDurable, kConflict, kFailed };
  Kind kind = Kind::kDurable;
  Fault fault;  // of kFailed: what went wrong, and where
  // Of kConflict, and of kDurable from shared storage: by rising revision, above all earlier ones.
  std::vector<StoredChange> others;
  // Of kDurable from shared storage: where each change is, 0 if it was not stored.
  std::vector<std::uint64_t> revisions = {};
  std::uint64_t revision = 0;  // the storage's, of which all changes are known
};

// What a backend has of earlier runs: enough for the state at every revision from `oldest` on.
struct Stored {
  // By rising revision: up to `oldest` what exists then, later every change.
  std::vector<StoredChange> changes;
  std::uint64_t revision = 0, oldest = 0;  // of the last batch
  Time clock;
  std::optional<std::uint64_t> random;
};

// What others have stored meanwhile.
struct News {
  // The whole state instead, if not all changes are known. Then `changes` is empty.
  std::optional<Stored> whole = {};
  std::vector<StoredChange> changes = {};  // by rising revision
  std::uint64_t revision = 0;              // the storage's; 0: nothing is new
};

class Backend {
 public:
  using Done = std::function<void(Outcome)>;

  virtual ~Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;

  // Returns what is stored, or nullopt if nothing was ever proposed. Called once, before anything
  // else. A host that cannot read its storage finds out before it makes the ApiServer.
  virtual std::optional<Stored> take_stored() = 0;

  // Begins to store a batch. See the contract above.
  virtual void propose(Batch batch, Done done) = 0;

  // Returns whether others write to the same storage. The rest is for such backends.
  virtual bool shared() const { return false; }
  // From now on calls `changed`, as a Done, when take_news() has some.
  virtual void listen(const std::function<void()>& /*changed*/) {}
  // From now on calls `told`, as a Done, when the storage stops answering, with what is wrong, and
  // when it answers again, with nothing.
  using HealthTold = std::function<void(std::optional<Fault>)>;
  virtual void watch_health(const HealthTold& /*told*/) {}
  // Returns what has not been returned, here or with an outcome. REQUIRES: no batch is under way.
  virtual News take_news() { return {}; }
  // Calls `done`, as a Done, when all that was stored before this call is among the news. It gets
  // what is wrong if that cannot be known.
  using CaughtUp = std::function<void(std::optional<Fault>)>;
  virtual void catch_up(const CaughtUp& done) { done(std::nullopt); }

 protected:
  Backend() = default;
};

}  // namespace tabernetes::store
