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
//   name, a.b.c      a member
//   a,b.c            several members: what follows holds for each
//   name>shown       has another name in paths; name>^ shows as what it is in; >name is the place
//                    itself, shown as its member; ^name shows as one of the list around (`a.n`
//                    and not `a[0].n`), ^ is the place itself, shown as that list
//   name[], name{}   each item of the list, each member of the map; [] and {} of the place itself
//   .                the place itself
//   ?a.b ?!a.b       the lines below hold only if the member is there (not empty), or is not;
//                    more conditions on the line: only if all do
//   ?a=x|y ?a!=x|y   ... has one of these values, or none of them; of a flag: true
//   ?~a ?^a          ... differs from what it was (on create: always); ... what it was is there
//   ?+a ?-a          ... is there, be it empty, or is not
//   ?any:a,b ?two:a,b    ... one of these members is there; ... more than one
//   ?a>9             ... is a number above
//   ?several         ... the list around has more items than one
//   ?@name           ... a condition in C++ (checks) holds; ! turns it around, as all these
//   else ?a          ... if those of the line before did not, and these do; else alone
//   on create update status    ... at these writes; without it, rules hold at all but status
//   &name            the rules of that name (shared_rules), for the same place
//   @name            a check written in C++ (checks), for the same place
//
// Paths in conditions and arguments begin at the place; with / at the whole object (of a pod: its
// spec), with a dot at the object that the place is in, with two at the one around that. A list
// is no object of its own: `..name` of a container's port's name is the container's.
//
// Words; "d" is a detail in quotes (or |d|, with quotes in it), and the value here is shown unless
// =v gives one: as it stands, or with =#core.v1.X as Go prints that type. A ! behind a word stops
// the line at a fault.
//   required ["d"]   there and neither "" nor []; else `Required value`, and the line stops
//   present ["d"]    the same, but there may be nothing in it
//   needed ["d"]     the same for numbers: not 0
//   opt given nonzero    if it is empty, not there at all, 0: the line stops
//   enum:A,B         `Unsupported value`
//   is:format        `Invalid value` for each fault of a format of validation/formats
//   range:1-9 min:0 positive    numbers, with the usual texts; "d" of a range is one of its own
//   ge:n le:n gt:n eq:n "d"    a number not below, not above, the same; n may be a path: ge:.low
//   max:n maxlen:n   `Too many` (stops), `Too long`; with "d" Invalid
//   star "d"         `Invalid value` of a list that has "*" beside others
//   distinct         `Duplicate value` if an earlier item of the list has the same (here); with
//                    "d" Invalid; distinct="" takes what is not there for "";
//                    distinct=#core.v1.X shows the item as that
//   apart:list[].name    the same if an item of another list has it at that member
//   among:list[].name,list[]     `Not found` unless one has; with "d" Invalid
//   first:a,b "d"    Forbidden if one of these is there beside it; stops
//   immutable        `field is immutable`; immutable=forbid "d" says Forbidden
//   forbid "d"       `Forbidden` if it is there; stops
//   unsupported=v:A,B    Unsupported value, always
//   bad[=v] "d"      Invalid, always;  need "d": Required, always;  deny "d": Forbidden, always
//
// Words of rules that fill in (rules/fill.h), which have none of the others:
//   fill=v default=v number=v    put v where nothing is; nothing, "" or []; no number or 0. v is a
//                    number, true, false, JSON or a text
//   made             puts an empty object where there is none, and goes on
//
// A text is read once, when a write first asks for it (rule_steps); what is asked often is as fast
// as code.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "rules/field.h"

namespace tabernetes::registry::validation {

enum class Write : std::uint8_t { kCreate, kUpdate, kStatus };

struct PodScope;
struct Seen;

// Where rules are at: a place in the object, and in the one before if there is one.
struct Place {
  const Field& now;
  const json::Value* old;  // null if there was none
  Write write;
  const json::Value* root;  // the whole object; of a pod its spec
  // The list around, and which item of it this place is in.
  const Field* list = nullptr;
  std::uint32_t index = 0;
  bool is_item = false;
  const Place* around = nullptr;
  std::string_view member = {};   // its name, if it is one
  Seen* seen = nullptr;           // of that list, by words that look for repeats
  const PodScope* pod = nullptr;  // within the spec of one

  // A place in this one.
  Place inside(const Field& field, const json::Value* before) const {
    return {field, before, write, root, list, index, false, this, {}, seen, pod};
  }
};

using Check = void (*)(const Place& place);
using Predicate = bool (*)(const Place& place);

struct NamedCheck {
  std::string_view name;
  Check check = nullptr;
};

struct NamedPredicate {
  std::string_view name;
  Predicate ask = nullptr;
};

// A filling in that is more than a word (`@template-defaults`).
using Fill = void (*)(json::Value& place, json::Arena& arena);

struct NamedFill {
  std::string_view name;
  Fill fill = nullptr;
};

struct NamedRules {
  std::string_view name, rules;
};

// What rules may name: checks (`@labels`), conditions (`?@template`) and the rules that others
// share
// (`&selector`). Each is a list of lists; those end with an empty row.
struct Vocabulary {
  std::span<const NamedCheck* const> checks;
  std::span<const NamedPredicate* const> predicates;
  std::span<const NamedRules* const> shared;
  std::span<const NamedFill> fills = {};  // one list

  // REQUIRES (all): the name exists.
  Check check(std::string_view name) const;
  Predicate predicate(std::string_view name) const;
  std::string_view rules(std::string_view name) const;
  Fill filler(std::string_view name) const;  // null: there is none of that name
};

// Reports what `rules` find wrong with `object`. REQUIRES: `rules` as above, in static storage, as
// `words` is; a text always comes with the same words; `old` is null on create only.
void check(const Vocabulary& words, std::string_view rules, Write write, const Field& object,
           const json::Value* old);
void check(const Vocabulary& words, std::string_view rules, const Place& place);

}  // namespace tabernetes::registry::validation
