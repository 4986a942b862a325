// A backend that JavaScript implements (wasm/src/backend.ts), and the changes that cross the border
// for it.
//
// A proposal never runs JavaScript under a C++ frame: it waits until the host takes it, and the
// host gives the outcome by a call of its own.
#pragma once

#include <emscripten/val.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "output.h"
#include "tabernetes/backend.h"

namespace tabernetes::wasm {

class HostBackend final : public store::Backend {
 public:
  explicit HostBackend(std::optional<store::Stored> stored) : stored_(std::move(stored)) {}

  std::optional<store::Stored> take_stored() override;
  void propose(store::Batch batch, Done done) override;

  // Returns true once for each batch that is proposed.
  bool take_proposed();

  // Locates the parts of the batch proposed last, until its outcome: an array of numbers (see
  // backend.cc), then the key and the value of each change.
  void locate(Places& places);
  // Returns the number of changes and what the batch has beside them.
  emscripten::val facts() const;

  void finish(store::Outcome outcome);

 private:
  std::optional<store::Stored> stored_;
  store::Batch batch_;
  Done done_;
  bool proposed_ = false;
  std::vector<std::uint64_t> numbers_;  // what locate() points to
  std::vector<std::string> values_;     // the same
};

// Input: stored changes, as wasm/src/stored-changes.ts packs them. Keeps them for the next
// take_given_changes().
void give_changes(unsigned size);
std::vector<store::StoredChange> take_given_changes();

// Returns what a backend has of earlier runs: the given changes and what `facts` says; nullopt if
// `facts` is undefined.
std::optional<store::Stored> stored_of(const emscripten::val& facts);

// Returns the outcome that is named by its kind, with the given changes as those of others.
store::Outcome outcome_of(std::string_view kind, const std::string& fault);

}  // namespace tabernetes::wasm
