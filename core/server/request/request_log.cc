#include "server/request/request_log.h"

#include <utility>

#include "base/algorithm/sort.h"

namespace tabernetes::server {

RequestLog::~RequestLog() { clear(); }

RequestLog::Place* RequestLog::places() const {
  return places_.get_or_make([] { return std::make_unique<Place[]>(kMost); }).get();
}

void RequestLog::add(const Request& request, const Response& response, Time begun, std::string user,
                     std::string fault) {
  const std::uint64_t number = next_.fetch_add(1, std::memory_order_relaxed);
  Place& place = places()[number % kMost];
  std::unique_ptr<Entry> entry(place.exchange(nullptr));
  if (!entry) entry = std::make_unique<Entry>();
  entry->number = number;
  entry->begun = begun;
  entry->method = request.method;
  entry->target = request.target;
  entry->user_agent = find_header(request.headers, "user-agent");
  entry->user = std::move(user);
  entry->status = response.lost ? 0 : response.status;
  entry->bytes.reset();
  if (!response.stream) entry->bytes = response.body.size();
  entry->fault = std::move(fault);
  const std::unique_ptr<Entry> other(place.exchange(entry.release()));
}

std::vector<LoggedRequest> RequestLog::entries() const {
  if (!places_.made()) return {};
  std::vector<Entry> found;
  for (std::size_t i = 0; i < kMost; ++i) {
    Place& place = places()[i];
    std::unique_ptr<Entry> entry(place.exchange(nullptr));
    if (!entry) continue;
    found.push_back(*entry);
    Entry* free = nullptr;
    if (place.compare_exchange_strong(free, entry.get())) (void)entry.release();
  }
  sort_stable(found, [](const Entry& a, const Entry& b) { return a.number < b.number; });
  return {found.begin(), found.end()};
}

void RequestLog::clear() {
  if (!places_.made()) return;
  for (std::size_t i = 0; i < kMost; ++i) {
    const std::unique_ptr<Entry> gone(places()[i].exchange(nullptr));
  }
}

}  // namespace tabernetes::server
