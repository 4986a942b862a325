#include "controllers/garbage/owner_index.h"

#include <memory>

namespace tabernetes::controllers {
namespace {

std::string prefix_of(std::string_view owner) { return std::string(owner) + '/'; }

}  // namespace

void OwnerIndex::put(std::string_view owner, std::string_view key, bool blocking) {
  auto record = std::make_shared<store::Record>();
  record->key = prefix_of(owner).append(key);
  if (blocking) record->bytes = "b";
  tree_.put(std::move(record));
}

void OwnerIndex::erase(std::string_view owner, std::string_view key) {
  tree_.erase(prefix_of(owner).append(key));
}

std::vector<OwnerIndex::Dependent> OwnerIndex::dependents(std::string_view owner) const {
  std::vector<Dependent> found;
  const std::string prefix = prefix_of(owner);
  tree_.present().scan(
      prefix, store::prefix_end(prefix), [&](std::string_view key, const store::RecordPtr& record) {
        found.push_back({std::string(key.substr(prefix.size())), !record->bytes.empty()});
        return true;
      });
  return found;
}

bool OwnerIndex::has_dependents(std::string_view owner) const {
  const std::string prefix = prefix_of(owner);
  return tree_.present().count(prefix, store::prefix_end(prefix)) > 0;
}

}  // namespace tabernetes::controllers
