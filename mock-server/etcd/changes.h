// The changes under a prefix of etcd: everything at one revision, read in pages, then a watch from
// there on. That revision is in the past, as far as etcd's history and a quick start allow. Goes on
// by itself when the connection is back.
//
// Lives on one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "etcd/client.h"
#include "tabernetes/backend.h"

namespace tabernetes::host::etcd {

// A key of ours under the prefix. Its change passes through the watch when that must show that it
// is up to date, but nobody else writes.
inline constexpr std::string_view kProgress = "tabernetes.dev/progress";

class Changes {
 public:
  struct Events {
    std::function<void(store::Stored)> all;                                     // the whole state
    std::function<void(std::vector<store::StoredChange>, std::uint64_t)> some;  // up to a revision
    std::function<void(const std::string&)> problem;  // of the storage itself
  };
  // REQUIRES: `client` outlives this object.
  Changes(Client& client, std::string prefix, Events events)
      : client_(client), prefix_(std::move(prefix)), events_(std::move(events)) {}

  // Must be called when the client is connected, and when it is not any more.
  void connected();
  void lost() { watch_.reset(); }

  // Returns whether changes arrive.
  bool live() const { return watch_.has_value() && created_ && filled_; }
  // Returns the revision up to which all changes have arrived; 0: none.
  std::uint64_t known() const { return known_; }

 private:
  void ask_for_oldest();
  void fill_from(std::uint64_t oldest, std::uint64_t newest);
  void read_page();
  void take_page(const CallEnd& end, std::string_view message);
  void fail(const CallEnd& end);
  void take(std::vector<store::StoredChange> changes);
  void watch();
  void watch_from(std::uint64_t revision);
  void on_watched(std::string_view message);

  Client& client_;
  const std::string prefix_;
  const Events events_;
  std::uint64_t known_ = 0;
  store::Stored filling_;
  std::string from_;  // the next page
  std::optional<Channel::CallId> watch_;
  bool created_ = false;
  std::uint64_t newest_ = 0;  // of etcd, when the watch began
  bool filled_ = false;       // the state has been told
  std::uint64_t until_ = 0;   // before that, it is complete at this revision
};

}  // namespace tabernetes::host::etcd
