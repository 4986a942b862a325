// Events that control loops write about objects.
#pragma once

#include <string_view>

#include "controllers/control_loop.h"

namespace tabernetes::controllers {

struct EventText {
  std::string_view source;  // the loop
  std::string_view type;    // "Normal", "Warning"
  std::string_view reason, message;
};

// Writes a v1 Event about the object at `about`, or counts the one that says the same already. Does
// nothing if there is no such object, or if its namespace takes no more.
void record_event(const Turn& turn, const registry::ObjectRef& about, const EventText& text);

}  // namespace tabernetes::controllers
