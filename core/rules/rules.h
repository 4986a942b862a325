// Validation rules of kinds as text, in upstream's order of checks. Rules are data instead of code
// because there are hundreds of a few sorts; a program of them is smaller than code in a
// WebAssembly module, and a text more readable.
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
// A line names a place relative to the line it is indented under (one space per level), then the
// checks of its value, in order; the lines below continue from there. If a word stops its line, it
// stops those too.
//
//   name, a.b.c      a member
//   a,b.c            several members: the rest applies to each
//   name>shown       has another name in paths; name>^ has the path of its parent; >name is the
//                    place itself with the path of that member; ^name has the path of a member of
//                    the enclosing list (`a.n` instead of `a[0].n`), ^ is the place itself with
//                    the path of that list
//   name[], name{}   each item of the list, each member of the map; [] and {}: of the place itself
//   .                the place itself
//   ?a.b ?!a.b       the lines below apply only if the member exists (and is not empty), or not;
//                    several conditions on a line: only if all are true
//   ?a=x|y ?a!=x|y   ... has one of these values, or none of them; of a flag: true
//   ?~a ?^a          ... differs from the old value (always on create); ... the old value exists
//   ?+a ?-a          ... exists, even if empty, or does not
//   ?any:a,b ?two:a,b    ... one of these members exists; ... more than one
//   ?a>9             ... is a number greater than 9
//   ?several         ... the enclosing list has more than one item
//   ?@name           ... a condition in C++ (checks) is true; ! negates it, like all others
//   ?gate:Name       ... a feature gate is on
//   else ?a          ... if the conditions of the previous line were false, and this is true; else
//                    alone
//   on create update status    ... for these writes; without it, rules apply to create and update
//   &name            the rules of that name, for the same place
//   @name            a check in C++ (checks), for the same place
//
// Paths in conditions and arguments start at the place; with / at the whole object (for a pod: its
// spec), with a dot at the object that contains the place, with two dots at the one around that. A
// list does not count as an object: for a container port's name, `..name` is the container's name.
//
// Words; "d" is a detail in quotes (or |d|, which may contain quotes). Errors show the value,
// unless =v specifies another one: literally, or with =#core.v1.X the value as Go prints that type.
// A ! after a word stops the line at an error.
//   required ["d"]   exists and is neither "" nor []; otherwise `Required value`, stops
//   present ["d"]    the same, but may be empty
//   needed ["d"]     the same for numbers: not 0
//   opt given nonzero    stops if it is empty, missing, 0
//   enum:A,B         `Unsupported value`
//   is:format        `Invalid value` for each fault of a format in rules/formats
//   range:1-9 min:0 positive    numbers, with the usual texts; "d" of a range replaces its text
//   ge:n le:n gt:n eq:n "d"    compares a number with n, which may be a path: ge:.low
//   max:n maxlen:n   `Too many` (stops), `Too long`; with "d" Invalid
//   star "d"         `Invalid value` for a list that contains "*" and others
//   distinct         `Duplicate value` if an earlier item of the list has the same (here); with
//                    "d" Invalid; distinct="" treats missing as "";
//                    distinct=#core.v1.X prints the item as that type
//   apart:list[].name    the same if an item of another list has it at that member
//   among:list[].name,list[]     `Not found` unless one has; with "d" Invalid
//   first:a,b "d"    Forbidden if one of these members exists too; stops
//   immutable        `field is immutable`; immutable=forbid "d" reports Forbidden
//   forbid "d"       `Forbidden` if it exists; stops
//   unsupported=v:A,B    Unsupported value, always
//   bad[=v] "d"      Invalid, always;  need "d": Required, always;  deny "d": Forbidden, always
//
// Words of defaults, which use none of the others except opt and given, and only conditions on
// values at the place:
//   fill=v default=v number=v    sets v if the member is missing; missing, "" or []; missing or 0.
//                    v is a number, true, false, JSON or a text
//   made             adds an empty object if it is missing
//
// A text is a C++ literal with a name:
//
//   TAB_RULES(kPriorityClassRules, R"(
//   value immutable
//   )");
//
// tools/rules/compile.mjs compiles all texts during the build (rules/program.h); an error in a text
// ends the build with its file and line. `&pod-spec` calls kPodSpecRules; in defaults,
// `&match-defaults` calls kMatchDefaults.
#pragma once

#include <cstdint>
#include <string_view>

#include "rules/field.h"

namespace tabernetes::registry::validation {

enum class Write : std::uint8_t { kCreate, kUpdate, kStatus };

struct PodScope;
struct SeenValues;

// The current place of rules: in the object, and in the old object if there is one.
struct Place {
  const Field& now;
  const json::Value* old;  // null if there was none
  Write write;
  const json::Value* root;  // the whole object; for a pod its spec
  // The enclosing list, and the index of the item that contains this place.
  const Field* list = nullptr;
  std::uint32_t index = 0;
  bool is_item = false;
  const Place* around = nullptr;
  std::string_view member = {};   // its name, if it is a member
  SeenValues* seen = nullptr;     // of that list, for words that find duplicates
  const PodScope* pod = nullptr;  // set inside a pod's spec

  // Returns a place inside this one.
  Place inside(const Field& field, const json::Value* before) const {
    return {field, before, write, root, list, index, false, this, {}, seen, pod};
  }
};

using Check = void (*)(const Place& place);
using Predicate = bool (*)(const Place& place);

// A default computed in C++ (`@template-defaults`).
using Fill = void (*)(json::Value& place, json::Arena& arena);

// A row of a table of names that rules may use. The name is in the source only, where
// tools/rules/compile.mjs reads it. REQUIRES: it stands in
// `extern const NamedX kTable[] = {{"name", &function}, ...};`, in no unnamed namespace.
template <typename Function>
struct Named {
  constexpr Named(std::string_view /*name*/, Function function) : call(function) {}
  Function call;
};
struct NamedCheck : Named<Check> {
  using Named::Named;
};
struct NamedPredicate : Named<Predicate> {
  using Named::Named;
};
struct NamedFill : Named<Fill> {
  using Named::Named;
};

struct RuleTables;

// Compiled validation rules. Made by the code that tools/rules/compile.mjs generates.
class Rules {
 public:
  constexpr Rules(const RuleTables& tables, std::uint32_t program)
      : tables_(tables), program_(program) {}

  // Adds the errors of `object` to its list. REQUIRES: `old` is null on create only.
  void check(Write write, const Field& object, const json::Value* old) const;
  void check(const Place& place) const;
  // Checks a place on create, without the object around it.
  void check_alone(const Field& place) const;

 private:
  const RuleTables& tables_;
  std::uint32_t program_;
};

// Compiled defaults: the same steps with another interpreter, which changes the object and reports
// no errors.
class Defaults {
 public:
  constexpr Defaults(const RuleTables& tables, std::uint32_t program)
      : tables_(tables), program_(program) {}

  void apply(json::Value& object, json::Arena& arena) const;

 private:
  const RuleTables& tables_;
  std::uint32_t program_;
};

}  // namespace tabernetes::registry::validation

// Declare rules and defaults; tools/rules/compile.mjs reads and compiles their text. REQUIRES: in a
// named namespace.
#define TAB_RULES(name, text) extern const ::tabernetes::registry::validation::Rules name
#define TAB_DEFAULTS(name, text) extern const ::tabernetes::registry::validation::Defaults name
