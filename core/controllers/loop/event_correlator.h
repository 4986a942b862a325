// Decides what becomes of an event that a control loop reports: a new Event, a higher count of an
// earlier one, or nothing. Source: upstream 1.36 client-go tools/record/events_cache.go.
//
// Remembers what was reported, for the last 4096 keys. Copies share that until they change it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "tabernetes/time.h"

namespace tabernetes::controllers {

// One report. `object` identifies the source and the object: whatever differs, differs here.
struct ReportedEvent {
  std::string_view object, type, reason, message;
};

class EventCorrelator {
 public:
  EventCorrelator();

  struct Decision {
    bool skip = false;
    std::string message;    // what to write: of many similar events, only that they are many
    bool combined = false;  // it is of many similar events
    std::int64_t count = 1;
    // The name of the Event whose count rises; empty: a new one. Must be set when that was created.
    // Valid until the next event is correlated.
    std::string* name = nullptr;
    Time first;  // when it was first reported
  };
  Decision correlate(const ReportedEvent& event, Time now);

  void clear();

 private:
  struct Memory;
  Memory& memory();

  std::shared_ptr<Memory> memory_;
};

}  // namespace tabernetes::controllers
