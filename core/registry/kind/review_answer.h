// The answers of webhooks, as client-go reads them: for conversion and admission alike.
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"
#include "tabernetes/http.h"

namespace tabernetes::registry {

// The expected kind of a review.
struct ReviewKind {
  std::string_view group, version, kind;  // "admission.k8s.io", "v1", "AdmissionReview"
  std::string_view scheme;                // as errors name it: "pkg/runtime/scheme.go:111"

  std::string api_version() const { return std::string(group) + "/" + std::string(version); }
};

// Reads the review out of an answer to a POST to `url`. Returns client-go's error, or an empty
// text; `review` may then also be an object without kind and apiVersion.
std::string read_review(const WebhookAnswer& answer, std::string_view url, const ReviewKind& kind,
                        json::Arena& arena, json::Value& review);

// Returns client-go's error for an unsuccessful answer of any server.
std::string refusal_of(const WebhookAnswer& answer);

// Returns "admission.k8s.io/v1, Kind=AdmissionReview".
std::string group_version_kind(std::string_view api_version, std::string_view kind);

}  // namespace tabernetes::registry
