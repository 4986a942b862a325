// How long clients may take and how many there may be, and what became of them: whoever takes
// longer is dropped, so that nobody holds a connection, its memory and its descriptor for nothing.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace tabernetes::host {

// The first two are those of kube-apiserver's server: ReadHeaderTimeout and IdleTimeout.
struct ConnectionLimits {
  std::chrono::milliseconds head{32'000};  // for a TLS handshake; for the head of a request
  std::chrono::milliseconds idle{90'000};  // between requests
  std::chrono::milliseconds body{60'000};  // without a byte of a body that is not complete
  std::chrono::milliseconds whole_body{180'000};
  // Without a byte that the client takes. Long, as a debugger may hold it.
  std::chrono::milliseconds write{600'000};
  std::size_t connections = 0;  // at a time; more wait until one ends. 0: any number
};

// Returns the number of connections that the process's limit of open files leaves, when files and
// other servers have their share; 0: any number.
std::size_t most_connections();

// Why a client was dropped: it took too long.
enum class Dropped { kHandshake, kHead, kIdle, kBody, kWrite };

// What became of the connections of a server. Any thread may count.
struct ConnectionCounts {
  void drop(Dropped why) { ++dropped[static_cast<std::size_t>(why)]; }

  // Returns all of it in Prometheus' text, with the descriptors of this process.
  std::string metrics() const;

  std::atomic<std::size_t> open{0}, limit{0};
  std::atomic<std::uint64_t> accepted{0}, failed_accepts{0}, failed_handshakes{0};
  std::array<std::atomic<std::uint64_t>, 5> dropped{};
};

// The places that connections have at a time. Any thread may call.
class ConnectionPlaces : public std::enable_shared_from_this<ConnectionPlaces> {
 public:
  // `limit`: 0 for any number. `when_free` is called whenever a place is free after there was none.
  ConnectionPlaces(std::shared_ptr<ConnectionCounts> counts, std::size_t limit,
                   std::function<void()> when_free);

  bool any_free() const { return limit_ == 0 || counts_->open < limit_; }

  // Takes a place, which is free again when what this returns is destroyed.
  std::shared_ptr<void> take();

 private:
  const std::shared_ptr<ConnectionCounts> counts_;
  const std::size_t limit_;
  const std::function<void()> when_free_;
};

}  // namespace tabernetes::host
