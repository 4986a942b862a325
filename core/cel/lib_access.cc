#include "base/api/names.h"
#include "base/go/text.h"
#include "cel/access.h"
#include "cel/evaluator.h"

namespace tabernetes::cel {
namespace {

using F = Function;

// Returns the value that goes on from a call's first argument, after `change`.
template <class Change>
Value after(const Call& call, Kind kind, Change change) {
  AccessState state = *call.args[0].access;
  change(state);
  return make_access(kind, state, call.arena);
}

Value for_account(const Call& call) {
  const std::string_view ns = call.text(1), name = call.text(2);
  if (!dns1123_subdomain_faults(name).empty()) return call.error("Invalid service account name");
  if (!dns1123_label_faults(ns).empty()) return call.error("Invalid service account namespace");
  return after(call, Kind::kAuthorizer, [&](AccessState& state) {
    state.account_namespace = ns;
    state.account = name;
  });
}

Value for_path(const Call& call) {
  if (go_trim_space(call.text(1)).empty()) return call.error("path must not be empty");
  return after(call, Kind::kPathCheck, [&](AccessState& state) { state.path = call.text(1); });
}

Value check(const Call& call) {
  AccessState state = *call.args[0].access;
  state.verb = call.text(1);
  const AccessDecision decision = state.access->decide(state);
  state.allowed = decision.allowed;
  state.reason = call.arena.copy(decision.reason);
  state.error = call.arena.copy(decision.error);
  return make_access(Kind::kDecision, state, call.arena);
}

// Sets a part of a resource.
Value with_part(const Call& call) {
  const std::string_view text = call.text(1);
  return after(call, Kind::kResourceCheck, [&](AccessState& state) {
    switch (call.function) {
      case F::kResource:
        state.resource = text;
        break;
      case F::kSubresource:
        state.subresource = text;
        break;
      case F::kNamespace:
        state.ns = text;
        break;
      case F::kName:
        state.name = text;
        break;
      default:  // selectors restrict what is read: no role looks at them
        break;
    }
  });
}

}  // namespace

Value make_access(Kind kind, const AccessState& state, json::Arena& arena) {
  Value value(kind);
  value.access = new (arena.allocate(sizeof(AccessState))) AccessState(state);
  return value;
}

Value call_access(const Call& call) {
  switch (call.function) {
    case F::kServiceAccount:
      return call.is("zss") ? for_account(call) : not_mine();
    case F::kPath:
      return call.is("zs") ? for_path(call) : not_mine();
    case F::kGroup:
      if (!call.is("zs")) break;
      return after(call, Kind::kGroupCheck,
                   [&](AccessState& state) { state.group = call.text(1); });
    case F::kResource:
      return call.is("Gs") ? with_part(call) : not_mine();
    case F::kSubresource:
    case F::kNamespace:
    case F::kName:
    case F::kFieldSelector:
    case F::kLabelSelector:
      return call.is("Rs") ? with_part(call) : not_mine();
    case F::kCheck:
      return call.is("Zs") || call.is("Rs") ? check(call) : not_mine();
    case F::kAllowed:
      return call.is("D") ? make_bool(call.args[0].access->allowed) : not_mine();
    case F::kReason:
      return call.is("D") ? make_string(call.args[0].access->reason) : not_mine();
    case F::kErrorMethod:
      return call.is("D") ? make_string(call.args[0].access->error) : not_mine();
    case F::kErrored:
      return call.is("D") ? make_bool(!call.args[0].access->error.empty()) : not_mine();
    default:
      break;
  }
  return not_mine();
}

}  // namespace tabernetes::cel
