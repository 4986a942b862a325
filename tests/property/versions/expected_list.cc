// The model's answer to a list request, by the rules of spec/list-watch.md 3.2 to 3.6 in sequence.

#include "lists.h"

namespace tabernetes::property {
namespace {

constexpr const char* kListTooOld = "The resourceVersion for the provided list is too old.";
constexpr const char* kTokenTooOld =
    "The provided continue parameter is too old to display a consistent list result. You can start "
    "a new list without the continue parameter, or use the continue token in this response to "
    "retrieve the remainder of the results. Continuing with the provided token results in an "
    "inconsistent list - objects that were created, modified, or deleted between the time the "
    "first "
    "chunk was returned and now may show up in the list.";

ExpectedList refusal(int code, std::string message) {
  ExpectedList expected;
  expected.code = code;
  expected.message = std::move(message);
  return expected;
}

// Returns all errors in the options of a list, in the server's order.
std::string option_errors(const ListRequest& request) {
  const std::string field = "resourceVersionMatch: ";
  std::vector<std::string> errors;
  if (!request.match.empty()) {
    if (request.version.empty()) {
      errors.push_back(field +
                       "Forbidden: resourceVersionMatch is forbidden unless "
                       "resourceVersion is provided");
    }
    if (request.token || request.bad_token) {
      errors.push_back(field +
                       "Forbidden: resourceVersionMatch is forbidden when continue is provided");
    }
    if (request.match != "Exact" && request.match != "NotOlderThan") {
      errors.push_back(field + "Unsupported value: \"" + request.match +
                       "\": supported values: \"Exact\", \"NotOlderThan\", \"\"");
    }
    if (request.match == "Exact" && request.version == "0") {
      errors.push_back(field +
                       "Forbidden: resourceVersionMatch \"exact\" is forbidden for "
                       "resourceVersion \"0\"");
    }
  }
  if (errors.empty()) return {};
  std::string all = errors.front();
  for (std::size_t i = 1; i < errors.size(); ++i) all += ", " + errors[i];
  if (errors.size() > 1) all = "[" + all + "]";
  return "ListOptions.meta.k8s.io \"\" is invalid: " + all;
}

// Returns the error message for a resourceVersion, or an empty string if it is a number.
std::string version_error(const std::string& text) {
  const bool digits = text.find_first_not_of("0123456789") == std::string::npos;
  if (digits && text.size() < 19) return {};
  return "invalid resource version: resourceVersion: Invalid value: \"" + text +
         "\": strconv.ParseUint: parsing \"" + text +
         (digits ? "\": value out of range" : "\": invalid syntax");
}

// Returns the prefix that is read: of the path's namespace, or on a first page the selector's.
std::string read_prefix(const ListRequest& request) {
  const std::string chosen = request.selector.required("metadata.namespace");
  if (!request.scope.ns.empty() || request.token || chosen.empty()) return request.scope.prefix();
  return chosen + "/";
}

// Returns whether the request can match one object only; then that key is read, without pages.
bool names_one(const ListRequest& request) {
  if (request.token || request.selector.required("metadata.name").empty()) return false;
  return !request.scope.kind->namespaced || !read_prefix(request).empty();
}

// Fills in the page that begins at `from`, relative to the prefix of the list.
void take_page(const Model& model, const ListRequest& request, const std::string& from,
               std::size_t limit, ExpectedList& expected) {
  const std::string wide = request.scope.prefix();
  const std::string prefix = read_prefix(request);
  std::string last;
  std::int64_t left = 0;
  for (const auto& [key, object] : model.state(*request.scope.kind, expected.version)) {
    if (!key.starts_with(prefix) || key.substr(wide.size()) < from) continue;
    if (limit != 0 && expected.items.size() == limit) {
      ++left;
      continue;
    }
    if (request.selector.matches(*object)) expected.items.push_back(object);
    last = key.substr(wide.size());
  }
  if (left == 0 || names_one(request)) return;
  expected.token = Token{static_cast<std::int64_t>(expected.version), last + '\0'};
  if (request.selector.everything()) expected.remaining = left;
}

std::size_t limit_of(const ListRequest& request) {
  return request.limit.empty() || request.limit[0] == '-' ? 0 : std::stoul(request.limit);
}

ExpectedList continued(const Model& model, const ListRequest& request) {
  if (!request.version.empty() && request.version != "0") {
    return refusal(400, "specifying resource version is not allowed when using continue");
  }
  const bool whole = request.version == "0" && request.scope.kind->cached;
  const Token& token = *request.token;
  ExpectedList expected;
  expected.version = token.version < 0 ? model.now() : static_cast<Version>(token.version);
  if (expected.version < model.floor()) {
    expected = refusal(410, kTokenTooOld);
    expected.fresh_token = Token{-1, token.start};
    return expected;
  }
  take_page(model, request, token.start, whole ? 0 : limit_of(request), expected);
  return expected;
}

}  // namespace

ExpectedList expected_list(const Model& model, const ListRequest& request) {
  if (request.limit == "abc") {
    return refusal(400, "strconv.ParseInt: parsing \"abc\": invalid syntax");
  }
  if (std::string errors = option_errors(request); !errors.empty()) return refusal(422, errors);
  if (request.bad_token) return refusal(400, request.bad_token->message);
  if (request.token) return continued(model, request);
  if (std::string error = version_error(request.version); !error.empty()) {
    return refusal(400, error);
  }
  const Version wanted = request.version.empty() ? 0 : std::stoull(request.version);
  const bool whole = request.version == "0" && request.scope.kind->cached;
  const std::size_t limit = whole ? 0 : limit_of(request);
  const bool exactly =
      wanted != 0 && (request.match == "Exact" || (request.match.empty() && limit > 0));
  ExpectedList expected;
  expected.version = exactly ? wanted : model.now();
  if (wanted > model.now()) {
    expected.future = true;
    expected.version = wanted;
    return expected;
  }
  if (expected.version < model.floor()) return refusal(410, kListTooOld);
  take_page(model, request, "", limit, expected);
  return expected;
}

std::vector<ObjectPtr> matching(const Model& model, const Scope& scope, const Selector& selector,
                                Version version) {
  std::vector<ObjectPtr> found;
  for (const auto& [key, object] : model.state(*scope.kind, version)) {
    if (scope.covers(*object) && selector.matches(*object)) found.push_back(object);
  }
  return found;
}

}  // namespace tabernetes::property
