// Sends lists and reads of one object and compares the answers with the model. Invariants 8 to 11,
// 13, 14 to 20.

#include "lists.h"

#include "world.h"

namespace tabernetes::property {
namespace {

using json::Value;

constexpr Duration kFreshnessWait = Duration::from_seconds(3);

void check_items(const ListRequest& request, const Value& list,
                 const std::vector<ObjectPtr>& expected) {
  const Value* items = list.find("items");
  expect(items != nullptr && items->is_array(), "a list without items");
  std::string is, should;
  std::vector<ObjectPtr> objects;
  for (const Value& item : items->items()) {
    expect(item.find("kind") == nullptr, "an item with a kind");
    objects.push_back(read_object(*request.scope.kind, item));
    is += describe(*objects.back()) + " ";
  }
  for (const ObjectPtr& object : expected) should += describe(*object) + " ";
  expect_equal("items", is, should);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    expect_same("item", *objects[i], *expected[i]);
  }
}

void check_metadata(World& world, const Value& metadata, const ExpectedList& expected) {
  expect_equal("version of the list", version_of(metadata.string_at("resourceVersion")),
               expected.version);
  const std::string text(metadata.string_at("continue"));
  expect_equal("a token is there", !text.empty(), expected.token.has_value());
  if (expected.token) {
    const Token token = Token::parse(text);
    expect_equal("version of the token", std::to_string(token.version),
                 std::to_string(expected.token->version));
    expect_equal("start of the token", token.start, expected.token->start);
    world.tokens.push_back(token);
  }
  const Value* remaining = metadata.find("remainingItemCount");
  expect_equal("remainingItemCount is there", remaining != nullptr, expected.remaining.has_value());
  if (remaining != nullptr) {
    expect_equal("remainingItemCount", std::to_string(remaining->as_int()),
                 std::to_string(*expected.remaining));
  }
}

void check_refusal(World& world, const Answer& answer, const ExpectedList& expected) {
  expect_status(answer, expected.code, expected.message);
  if (!expected.fresh_token) return;
  const Document status(answer.body);
  const Token token =
      Token::parse(std::string(status.root.find("metadata")->string_at("continue")));
  expect(token.version == -1, "the fresh token names a version");
  expect_equal("start of the fresh token", token.start, expected.fresh_token->start);
  world.tokens.push_back(token);
}

std::string too_large(Version wanted, Version current) {
  return "Timeout: Too large resource version: " + std::to_string(wanted) +
         ", current: " + std::to_string(current);
}

// Checks the answer for a version not reached yet: a cached resource waits, others fail at once.
void check_future(World& world, const ListRequest& request, const std::shared_ptr<Answer>& answer,
                  Version version) {
  if (!request.scope.kind->cached) {
    expect(answer->arrived, "an uncached resource waits");
    expect_status(*answer, 504, too_large(version, world.model.now()));
    expect(find_header(answer->headers, "Retry-After").empty(), "a Retry-After from events");
    return;
  }
  expect(!answer->arrived, "a version to come is answered at once");
  world.waiting.push_back({request, answer, version, world.now + kFreshnessWait});
}

std::string random_version(World& world, Random& random) {
  switch (random.below(10)) {
    case 0:
    case 1:
    case 2:
      return "";
    case 3:
      return "0";
    case 4:
      return random.pick({"abc", "-1", "99999999999999999999", "1.0", " 1"});
    case 5:
      return std::to_string(world.model.now() + random.below(3));
    default:
      return std::to_string(random_past_version(world, random));
  }
}

ListRequest random_list(World& world, Random& random) {
  ListRequest request;
  request.scope = random_scope(random, random_kind(random));
  request.selector = random_selector(random, *request.scope.kind);
  if (!world.tokens.empty() && random.chance(25)) {
    const Token& token = random.pick(world.tokens);
    if (random.chance(25)) {
      request.bad_token = random_bad_token(random, token);
    } else {
      request.token = token;
    }
    if (random.chance(70)) {
      request.version = random.pick({"", "0"});
    } else {
      request.version = random_version(world, random);
    }
  } else {
    request.version = random_version(world, random);
    if (random.chance(40)) request.match = random.pick({"Exact", "NotOlderThan", "Exact", "Foo"});
    if (request.version.empty() && random.chance(80)) request.match.clear();
  }
  if (random.chance(60)) request.limit = std::to_string(random.between(1, 6));
  if (random.chance(5)) request.limit = random.pick({"0", "-1", "abc"});
  return request;
}

}  // namespace

std::string ListRequest::target() const {
  return Target(scope.path())
      .add_if("resourceVersion", version)
      .add_if("resourceVersionMatch", match)
      .add_if("limit", limit)
      .add_if("labelSelector", selector.label_text)
      .add_if("fieldSelector", selector.field_text)
      .add_if("continue", token       ? token->text()
                          : bad_token ? bad_token->text
                                      : std::string())
      .text();
}

void check_list(World& world, const ListRequest& request, const Answer& answer,
                const ExpectedList& expected) {
  if (expected.code != 200) {
    check_refusal(world, answer, expected);
    return;
  }
  if (answer.status != 200) expect_equal("answer to a list", answer.body, "a list");
  const Document list(answer.body);
  expect_equal("kind", list.root.string_at("kind"), std::string(request.scope.kind->kind) + "List");
  check_metadata(world, *list.root.find("metadata"), expected);
  check_items(request, list.root, expected.items);
}

ExpectedList send_list(World& world, const ListRequest& request) {
  ExpectedList expected = expected_list(world.model, request);
  const auto answer = world.client.ask("GET", request.target());
  if (expected.future) {
    check_future(world, request, answer, expected.version);
    return expected;
  }
  expect(answer->arrived, "a list waits");
  check_list(world, request, *answer, expected);
  return expected;
}

void list_collection(World& world, Random& random) { send_list(world, random_list(world, random)); }

// Checks a list whose version has been reached: it shows that version or, unless the match is
// Exact, a later one.
void check_reached(World& world, const WaitingList& waiting) {
  expect(waiting.answer->arrived, "a version is reached, and the answer to it still waits");
  ExpectedList expected = expected_list(world.model, waiting.request);
  if (expected.code == 200 && waiting.answer->status == 200) {
    // The server may choose any version since then.
    const Document list(waiting.answer->body);
    const Version shown = version_of(list.root.find("metadata")->string_at("resourceVersion"));
    expect(shown >= waiting.version && shown <= world.model.now(), "a list of another version");
    Model then = world.model;
    then.skip(shown);
    expected = expected_list(then, waiting.request);
  }
  check_list(world, waiting.request, *waiting.answer, expected);
}

void check_waiting_lists(World& world) {
  std::vector<WaitingList> still;
  for (const WaitingList& waiting : world.waiting) {
    if (world.model.now() >= waiting.version) {
      check_reached(world, waiting);
    } else if (world.now >= waiting.until) {
      expect(waiting.answer->arrived, "an answer waits beyond three seconds");
      expect_status(*waiting.answer, 504, too_large(waiting.version, world.model.now()));
      expect_equal("Retry-After", find_header(waiting.answer->headers, "Retry-After"), "1");
    } else {
      expect(!waiting.answer->arrived, "an answer came before its version");
      still.push_back(waiting);
    }
  }
  world.waiting = std::move(still);
}

void get_object(World& world, Random& random) {
  const Kind& kind = random_kind(random);
  const std::string ns = kind.namespaced ? random.pick(namespaces()) : "";
  const std::string name = random.pick(names());
  Target target(kind.item(ns, name));
  if (random.chance(50)) target.add("resourceVersion", std::to_string(world.model.now()));
  const Answer answer = world.client.call("GET", target.text());
  const ObjectPtr object = world.model.find(kind, ns.empty() ? name : ns + "/" + name);
  if (object == nullptr) {
    expect_status(answer, 404, std::string(kind.resource) + " \"" + name + "\" not found");
  } else {
    expect_equal("status of a get", static_cast<std::uint64_t>(answer.status), 200);
    expect_same("get", *read_object(kind, answer.body), *object);
  }
}

}  // namespace tabernetes::property
