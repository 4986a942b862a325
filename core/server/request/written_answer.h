// How a request that has written was answered, so that the answer can be made again once the
// version of what it wrote is known.
#pragma once

#include <memory>

#include "registry/kind/resource_type.h"
#include "server/request/negotiation.h"
#include "store/record.h"

namespace tabernetes::server {

struct WrittenAnswer {
  const registry::ResourceType* type = nullptr;
  std::shared_ptr<const void> hold;  // keeps the type alive
  const schema::Subresource* subresource = nullptr;
  Representation form;
  int code = 200;
  store::RecordPtr record;
  store::Revision shown = 0;  // the version to show instead of the record's, unless 0
};

}  // namespace tabernetes::server
