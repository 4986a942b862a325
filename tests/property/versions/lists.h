// Lists: the required answer to a request, by the table of spec/list-watch.md 3.3.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model.h"
#include "selector.h"
#include "token.h"

namespace tabernetes::property {

struct World;

struct ListRequest {
  Scope scope;
  Selector selector;
  std::string version, match, limit;
  std::optional<Token> token;  // of this cluster
  std::optional<BadToken> bad_token;

  std::string target() const;
};

struct ExpectedList {
  int code = 200;
  std::string message;               // of an error
  std::optional<Token> fresh_token;  // in the Status of a 410

  bool future = false;  // `version` is not reached yet
  Version version = 0;
  std::vector<ObjectPtr> items;
  std::optional<Token> token;
  std::optional<std::int64_t> remaining;
};

// Returns the model's answer to the request now.
ExpectedList expected_list(const Model& model, const ListRequest& request);

// Returns all matching objects at one version.
std::vector<ObjectPtr> matching(const Model& model, const Scope& scope, const Selector& selector,
                                Version version);

// Sends the request and checks the answer. Returns what was expected.
ExpectedList send_list(World& world, const ListRequest& request);
void check_list(World& world, const ListRequest& request, const Answer& answer,
                const ExpectedList& expected);

// A list of a future version: answered when it is reached, or rejected after three seconds.
struct WaitingList {
  ListRequest request;
  std::shared_ptr<Answer> answer;
  Version version = 0;
  Time until;
};
// Must be called after every step.
void check_waiting_lists(World& world);

// A list read page by page while the cluster changes.
struct Pager {
  ListRequest request;
  Version version = 0;  // of the first page; 0 once the list continued at another version
  std::vector<ObjectPtr> read;
};

}  // namespace tabernetes::property
