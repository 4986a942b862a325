#include "server/aggregation/aggregated_apis.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "base/algorithm/sort.h"

namespace tabernetes::server {
namespace {

// Returns what the servers say, those of the highest priority first.
ForeignSpecs specs_by_priority(const AggregatedParts& parts) {
  std::map<std::string_view, int> groups;  // the highest priority of each
  for (const AggregatedPart& part : parts) {
    int& highest = groups[part.group];
    highest = std::max(highest, part.group_priority);
  }
  std::vector<const AggregatedPart*> sorted;
  for (const AggregatedPart& part : parts) {
    if (part.spec != nullptr) sorted.push_back(&part);
  }
  sort_stable(sorted, [&](const AggregatedPart* a, const AggregatedPart* b) {
    return a->group == b->group ? a->version_priority > b->version_priority
                                : groups[a->group] > groups[b->group];
  });
  ForeignSpecs specs;
  for (const AggregatedPart* part : sorted) specs.push_back(part->spec);
  return specs;
}

}  // namespace

std::shared_ptr<const OpenApiDocuments> AggregatedApis::documents(
    std::shared_ptr<const OpenApiDocuments> own) const {
  std::unique_ptr<const Merged> known(merged_.exchange(nullptr, std::memory_order_acq_rel));
  if (known == nullptr || known->own != own) {
    ForeignSpecs specs = specs_by_priority(parts_);
    if (specs.empty()) return own;
    auto all = std::make_shared<const OpenApiDocuments>(own, std::move(specs));
    known.reset(new Merged{std::move(own), std::move(all)});
  }
  std::shared_ptr<const OpenApiDocuments> all = known->all;
  const Merged* none = nullptr;
  if (merged_.compare_exchange_strong(none, known.get(), std::memory_order_acq_rel)) {
    (void)known.release();
  }
  return all;
}

const AggregatedPart* AggregatedApis::with_document(std::string_view key) const {
  for (const AggregatedPart& part : parts_) {
    if (part.spec != nullptr && part.spec->v3_urls.count(key) > 0) return &part;
  }
  return nullptr;
}

}  // namespace tabernetes::server
