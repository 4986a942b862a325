// What both versions of events share.
#pragma once

#include <string_view>

#include "kinds/row/kind.h"

namespace tabernetes::registry::kinds {

// The names of the members in a version.
struct EventNames {
  std::string_view reference, controller, message, shown_controller;
};

// Checks both versions of events; paths contain the names of core.
void check_event(const Place& place, const EventNames& names);

void print_event(const json::Value& object, Row& row);

}  // namespace tabernetes::registry::kinds
