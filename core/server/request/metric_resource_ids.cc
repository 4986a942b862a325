// Tested by tests/core/server/discovery/metrics_test.cc.
#include "server/request/metric_resource_ids.h"

#include <memory>

namespace tabernetes::server {

MetricResourceIds::~MetricResourceIds() {
  for (const auto& name : names_) delete name.load();
}

std::size_t MetricResourceIds::number_of(const schema::Resource& resource) const {
  for (std::size_t i = 0; i < kRoom; ++i) {
    const MetricResource* name = names_[i].load();
    if (name == nullptr) {
      auto own = std::make_unique<const MetricResource>(
          MetricResource{std::string(resource.group), std::string(resource.version),
                         std::string(resource.plural)});
      // Another thread may have stored first, perhaps the same name.
      if (names_[i].compare_exchange_strong(name, own.get())) name = own.release();
    }
    if (name->plural == resource.plural && name->group == resource.group &&
        name->version == resource.version) {
      return kFirst + i;
    }
  }
  return 0;
}

const MetricResource* MetricResourceIds::find(std::size_t number) const {
  return number < kFirst || number >= kFirst + kRoom ? nullptr : names_[number - kFirst].load();
}

}  // namespace tabernetes::server
