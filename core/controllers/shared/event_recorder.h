// Events that control loops write about objects.
#pragma once

#include <string_view>

#include "controllers/loop/control_loop.h"

namespace tabernetes::controllers {

struct EventText {
  std::string_view source;  // name of the loop
  std::string_view type;    // "Normal", "Warning"
  std::string_view reason, message;
  // Of a kubelet's events: its node, and the part of the pod that it is about.
  std::string_view host = {}, field_path = {};
  std::string_view manager = kManager;  // the field manager
};

// Writes a v1 Event about the object at `about`, or increments the count of an earlier one, as the
// EventCorrelator decides. Does nothing if the object does not exist, or if its namespace accepts
// no new objects.
void record_event(const ReconcileContext& cluster, const registry::ObjectRef& about,
                  const EventText& text);

// The same about an object that the loop has read.
void record_event(const ReconcileContext& cluster, const registry::ResourceType& type,
                  const json::Value& object, const EventText& text);

}  // namespace tabernetes::controllers
