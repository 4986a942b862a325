#include "server/list/list_page.h"

#include <limits>
#include <utility>

#include "registry/kind/kind_behaviour.h"
#include "server/list/continue_token.h"
#include "server/request/readable.h"
#include "server/request/resource_version.h"

namespace tabernetes::server {
namespace {

// The keys that a list covers: [begin, end).
struct Scope {
  std::string prefix;  // tokens are relative to it
  std::string begin, end;
  bool one_object = false;  // never paged
};

// The start of a list: key and revision.
struct Start {
  const store::Tree* present = nullptr;
  std::optional<store::Snapshot> past;  // if set, used instead of `present`
  store::Revision revision = 0;
  std::string from;
  bool whole = false;  // ignores the limit

  const store::Tree& tree() const { return past ? past->tree : *present; }
};

constexpr std::string_view kListTooOld = "The resourceVersion for the provided list is too old.";
constexpr std::string_view kContinueTooOld =
    "The provided continue parameter is too old to display a consistent list result. You can "
    "start a new list without the continue parameter, or use the continue token in this response "
    "to retrieve the remainder of the results. Continuing with the provided token results in an "
    "inconsistent list - objects that were created, modified, or deleted between the time the "
    "first chunk was returned and now may show up in the list.";

// Returns the keys of a list. A selector for a namespace, or for an object whose namespace is
// known, narrows them, but not with a continue token. Source: spec/list-watch.md 3.5, 3.8.
Scope scope_of(const RequestContext& call, const ListOptions& options,
               const ObjectSelector& selector) {
  const registry::ResourceType& type = *call.type;
  Scope scope;
  scope.prefix = type.collection_prefix(call.ns);
  scope.begin = scope.prefix;
  scope.end = store::prefix_end(scope.prefix);
  if (!options.continue_token.empty()) return scope;
  std::string ns = call.ns;
  if (type.resource->namespaced && ns.empty()) {
    ns = selector.fields.requires_exact_match("metadata.namespace").value_or("");
    scope.begin = type.collection_prefix(ns);
    scope.end = store::prefix_end(scope.begin);
  }
  const auto name = selector.fields.requires_exact_match("metadata.name");
  const bool known_place = !type.resource->namespaced || !ns.empty();
  if (name && !name->empty() && known_place) {
    scope.begin += *name;
    scope.end = scope.begin + '\0';
    scope.one_object = true;
  }
  return scope;
}

TokenForm token_form(const RequestContext& call) {
  return call.type->strategy->uncached ? TokenForm::kBare : TokenForm::kRooted;
}

Start start_at_present(const RequestContext& call, std::string from) {
  return {.present = &call.objects.tree(),
          .past = std::nullopt,
          .revision = call.objects.revision(),
          .from = std::move(from)};
}

// Moves the start to exactly this version. Errors: 504, and `gone` for a compacted version.
Result<void> go_to(RequestContext& call, store::Revision revision, Start& start,
                   const ApiStatus& gone) {
  TAB_CHECK(check_reached(call, revision));
  if (revision == start.revision) return {};
  auto state = call.objects.at(revision);
  if (!state) {
    call.needs_writer = state.error() == Objects::Missing::kNotAtHand;
    return gone;
  }
  start.past = std::move(*state);
  start.revision = revision;
  return {};
}

Result<Start> start_at_token(RequestContext& call, const ListOptions& options, const Scope& scope) {
  TAB_TRY(const ContinueToken token, decode_continue(options.continue_token));
  if (!options.resource_version.empty() && options.resource_version != "0") {
    return errors::bad_request("specifying resource version is not allowed when using continue");
  }
  Start start = start_at_present(call, scope.prefix + token.start);
  start.whole = options.resource_version == "0" && !call.type->strategy->uncached;
  if (token.revision < 0) return start;
  const Failure gone = errors::expired(kContinueTooOld);
  gone->continue_token = encode_continue({-1, token.start}, token_form(call));
  TAB_CHECK(go_to(call, static_cast<store::Revision>(token.revision), start, gone));
  return start;
}

Result<Start> start_at_version(RequestContext& call, const ListOptions& options,
                               const Scope& scope) {
  Start start = start_at_present(call, scope.begin);
  if (options.resource_version.empty()) return start;
  TAB_TRY(const store::Revision wanted,
          parse_version(*call.type, VersionCheck::kList, options.resource_version));
  if (wanted == 0) {
    start.whole = !call.type->strategy->uncached;
    return start;
  }
  TAB_CHECK(check_reached(call, wanted));
  const std::string& match = options.resource_version_match;
  // Without resourceVersionMatch a limit means exactly this version, for compatibility.
  const bool legacy = match.empty() && options.limit > 0;
  if (match != "Exact" && !legacy) return start;
  TAB_CHECK(go_to(call, wanted, start, errors::expired(kListTooOld)));
  return start;
}

}  // namespace

Result<ListPage> list_page(RequestContext& call, const ListOptions& options,
                           const ObjectSelector& selector) {
  const Scope scope = scope_of(call, options, selector);
  TAB_TRY(const Start start, options.continue_token.empty() ? start_at_version(call, options, scope)
                                                            : start_at_token(call, options, scope));
  const bool paged = options.limit > 0 && !start.whole && !scope.one_object;
  const std::int64_t limit = paged ? options.limit : std::numeric_limits<std::int64_t>::max();
  const bool everything = selector.everything();
  ListPage page;
  page.revision = start.revision;
  const store::Record* last = nullptr;  // the last one read
  bool more = false;
  const bool converts = call.type->behaviour->may_need_webhook();
  start.tree().scan(start.from, scope.end, [&](std::string_view key, const store::RecordPtr& read) {
    more = static_cast<std::int64_t>(page.records.size()) == limit;
    if (more) return false;
    const bool as_is = !converts || is_corrupt(*read);
    const store::RecordPtr next =
        as_is ? read : registry::record_in_version(*call.type, read, call.pending);
    if (everything || selector.matches(*call.type, key, *next)) page.records.push_back(next);
    last = read.get();
    return true;
  });
  TAB_CHECK(check_readable(call, page.records));
  if (!more) return page;
  const std::string next = last->key + '\0';
  page.continue_token =
      encode_continue({static_cast<std::int64_t>(page.revision), next.substr(scope.prefix.size())},
                      token_form(call));
  if (everything) {
    page.remaining = static_cast<std::int64_t>(start.tree().count(next, scope.end));
  }
  return page;
}

}  // namespace tabernetes::server
