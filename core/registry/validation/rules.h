// What is wrong with an object, said as text: a kind's validation rules in the order in which
// upstream checks them. Rules are data and not code because there are hundreds of them, of a few
// sorts, and text is the smallest form of that in a WebAssembly module, and the easiest to read.
//
//   spec
//    type required enum:Exempt,Limited
//    ports[]
//     name is:label distinct
//     ?protocol=SCTP
//      hostPort forbid "may not be set"
//   on update
//    spec.provisioner immutable
//
// A line names a place below the line it is indented under (by one space a level), then says what
// must hold there, in order; the lines below go on from there. Where a word stops the line, so do
// those.
//
//   name, a.b.c      a member;  name>shown  has another name in paths
//   name[], name{}   each item of the list, each member of the map; [] and {} of the place itself
//   .                the place itself
//   ?a.b ?!a.b       the lines below hold only if the member is there (not empty), or is not
//   ?a=x|y ?a!=x|y   ... has one of these values, or none of them; of a flag: true
//   ?~a ?^a          ... differs from what it was (on create: always); ... what it was is there
//   ?+a ?-a          ... is there, be it empty, or is not
//   ?/a ?several     ... is there, or has a value, in the whole object; the list around has more
//   on create update status    ... at these writes; without it, rules hold at all but status
//   &name            the rules of that name (shared_rules), for the same place
//   @name            a check written in C++ (checks), for the same place
//
// Words; "d" is a detail in quotes, and the value here is shown unless =v gives one:
//   required ["d"]   there and neither "" nor []; else `Required value`, and the line stops
//   present ["d"]    the same, but there may be nothing in it
//   opt given        if it is empty, or not there at all, the line stops
//   enum:A,B         `Unsupported value`
//   is:format        `Invalid value` for each fault of a format of validation/formats
//   range:1-9 min:0 positive    numbers, with the usual texts
//   ge:n le:n "d"    a number not below, not above
//   max:n maxlen:n   `Too many`, `Too long`
//   star "d"         `Invalid value` of a list that has "*" beside others
//   distinct         `Duplicate value` if an earlier item of the list has the same (here)
//   immutable        `field is immutable`; immutable=forbid "d" says Forbidden
//   forbid "d"       `Forbidden` if it is there; stops
//   bad[=v] "d"      Invalid, always;  need "d": Required, always;  deny "d": Forbidden, always
#pragma once

#include <cstdint>
#include <string_view>

#include "registry/validation/field.h"

namespace tabernetes::registry::validation {

enum class Write : std::uint8_t { kCreate, kUpdate, kStatus };

// Where rules are at: a place in the object, and in the one before if there is one.
struct Place {
  const Field& now;
  const json::Value* old;  // null if there was none
  Write write;
  const json::Value* root;  // the whole object
  // The list around, and which item of it this place is in.
  const Field* list = nullptr;
  std::uint32_t index = 0;
};

// Reports what `rules` find wrong with `object`. REQUIRES: `rules` as above, in static storage;
// `old` is null on create only.
void check(std::string_view rules, Write write, const Field& object, const json::Value* old);
void check(std::string_view rules, const Place& place);

}  // namespace tabernetes::registry::validation
