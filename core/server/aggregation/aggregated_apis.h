// What is known of the APIs of other servers, as requests see it on any thread.
#pragma once

#include <atomic>
#include <memory>
#include <string_view>

#include "server/aggregation/aggregated_discovery_parts.h"
#include "server/openapi/documents.h"

namespace tabernetes::server {

// Never changes, but for the documents that it keeps.
class AggregatedApis {
 public:
  explicit AggregatedApis(AggregatedParts parts) : parts_(std::move(parts)) {}
  ~AggregatedApis() { delete merged_.load(std::memory_order_relaxed); }
  AggregatedApis(const AggregatedApis&) = delete;
  AggregatedApis& operator=(const AggregatedApis&) = delete;

  const AggregatedParts& parts() const { return parts_; }

  // Returns the documents of this server together with those of the others. Those made last are
  // kept.
  std::shared_ptr<const OpenApiDocuments> documents(
      std::shared_ptr<const OpenApiDocuments> own) const;

  // Returns the API whose server has the document of OpenAPI v3 with that key
  // ("apis/fruit.example/v1"); null: none.
  const AggregatedPart* with_document(std::string_view key) const;

 private:
  struct Merged {
    std::shared_ptr<const OpenApiDocuments> own, all;
  };

  const AggregatedParts parts_;
  // Owned. A thread that reads it takes it out meanwhile.
  mutable std::atomic<const Merged*> merged_{nullptr};
};

}  // namespace tabernetes::server
