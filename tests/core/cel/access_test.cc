// The functions of `authorizer`: what they ask, say and cost.
#include "cel/access.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "cel/compile.h"
#include "cel/evaluator.h"

namespace tabernetes::cel {
namespace {

// Allows `get`; its reason is what was asked.
class Asked final : public Access {
 public:
  AccessDecision decide(const AccessState& asked) const override {
    std::string text(asked.verb);
    for (const std::string_view part :
         {asked.path, asked.group, asked.version, asked.resource, asked.subresource, asked.ns,
          asked.name, asked.account_namespace, asked.account}) {
      text.append("|").append(part);
    }
    return {asked.verb == "get", text, asked.verb == "fail" ? "broken" : ""};
  }
};

struct Answered {
  std::string value, error;
  std::uint64_t cost = 0, least = 0, most = 0;
};

Answered ask(std::string_view source) {
  const Variable variables[] = {{"authorizer", &simple_type(Kind::kAuthorizer)},
                                {"authorizer.requestResource", &simple_type(Kind::kResourceCheck)}};
  const auto program = compile(source, variables);
  if (!program) return {.value = {}, .error = program.error()};
  json::Arena arena;
  const Asked access;
  AccessState own{.access = &access};
  AccessState request = own;
  request.group = "apps";
  request.version = "v1";
  request.resource = "deployments";
  request.ns = "shop";
  const Value values[] = {make_access(Kind::kAuthorizer, own, arena),
                          make_access(Kind::kResourceCheck, request, arena)};
  const Outcome outcome = program->evaluate(values, arena);
  const Estimate estimate = program->estimate_cost(nullptr);
  Answered found{
      .value = {}, .error = {}, .cost = outcome.cost, .least = estimate.min, .most = estimate.max};
  if (outcome.is_error()) {
    found.error = outcome.error();
  } else {
    to_text(outcome.value, found.value);
  }
  return found;
}

TEST_CASE("cel: what an expression asks of the authorizer", "[cel]") {
  struct Case {
    std::string_view check, asked;
  };
  const Case cases[] = {
      {"path('/healthz').check('get')", "get|/healthz||*||||||"},
      {"group('').resource('pods').check('list')", "list|||*|pods|||||"},
      {"group('apps').resource('deployments').subresource('status').namespace('test')"
       ".name('backend').check('create')",
       "create||apps|*|deployments|status|test|backend||"},
      {"serviceAccount('shop', 'cart').group('').resource('pods').check('get')",
       "get|||*|pods||||shop|cart"},
      {"requestResource.check('delete')", "delete||apps|v1|deployments||shop|||"},
      {"requestResource.subresource('scale').name('web').check('update')",
       "update||apps|v1|deployments|scale|shop|web||"},
      {"group('').resource('pods').fieldSelector('a=b').labelSelector('c').check('list')",
       "list|||*|pods|||||"},
  };
  for (const Case& c : cases) {
    INFO(c.check);
    const Answered found = ask("authorizer." + std::string(c.check) + ".reason()");
    CHECK(found.error == "");
    CHECK(found.value == c.asked);
  }
}

TEST_CASE("cel: what a decision says", "[cel]") {
  const auto value = [](std::string_view verb, std::string_view method) {
    return ask("authorizer.group('').resource('pods').check('" + std::string(verb) + "')." +
               std::string(method) + "()")
        .value;
  };
  CHECK(value("get", "allowed") == "true");
  CHECK(value("list", "allowed") == "false");
  CHECK(value("get", "errored") == "false");
  CHECK(value("get", "error") == "");
  CHECK(value("fail", "errored") == "true");
  CHECK(value("fail", "error") == "broken");
  CHECK(value("fail", "allowed") == "false");
}

TEST_CASE("cel: checks cost as in kube-apiserver", "[cel]") {
  const std::string backend =
      "authorizer.group('apps').resource('deployments').subresource('status').namespace('test')"
      ".name('backend')";
  const std::string selector =
      "elector('spec.nodeName=example-node-name.fully.qualified.domain.name.example.com')";
  const std::pair<std::string, std::uint64_t> costs[] = {
      {"authorizer.path('/healthz')", 2},
      {backend, 6},
      {"authorizer.group('').resource('pods').fieldS" + selector, 1821},
      {"authorizer.group('').resource('pods').labelS" + selector, 1821},
      {"authorizer.path('/healthz').check('get').allowed()", 350'003},
      {backend + ".check('create').allowed()", 350'007},
      {backend + ".check('create').errored()", 350'007},
      {backend + ".check('create').error()", 350'007},
  };
  for (const auto& [source, cost] : costs) {
    INFO(source);
    const Answered found = ask(source);
    CHECK(found.error == "");
    CHECK(found.cost == cost);
    CHECK(found.least == cost);
    CHECK(found.most == cost);
  }
}

TEST_CASE("cel: what cannot be asked", "[cel]") {
  const auto error = [](std::string_view source) { return ask(source).error; };
  CHECK(error("authorizer.path('').check('get').allowed()") == "path must not be empty");
  CHECK(error("authorizer.serviceAccount('', 'a').path('/a').check('get').allowed()") ==
        "Invalid service account namespace");
  CHECK(error("authorizer.serviceAccount('a', '').path('/a').check('get').allowed()") ==
        "Invalid service account name");
  CHECK(error("authorizer.path(' ').check('get').allowed()") == "path must not be empty");
  CHECK(error("authorizer.serviceAccount('a/b', 'c').path('/a').check('get').allowed()") ==
        "Invalid service account namespace");
  CHECK(error("authorizer.serviceAccount('', 'A').path('/a').check('get').allowed()") ==
        "Invalid service account name");
  CHECK(error("authorizer.check('get').allowed()") ==
        "ERROR: <input>:1:17: found no matching overload for 'check' applied to "
        "'kubernetes.authorization.Authorizer.(string)'\n"
        " | authorizer.check('get').allowed()\n"
        " | ................^");
}

}  // namespace
}  // namespace tabernetes::cel
