// Requests to conversion webhooks and their answers: ConversionReview of apiextensions.k8s.io.
//
// Source: upstream 1.36 apiextensions-apiserver pkg/apiserver/conversion/webhook_converter.go; the
// error messages, including those of apimachinery's decoders, are a real server's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "custom/objects/conversions.h"
#include "json/value.h"
#include "tabernetes/http.h"

namespace tabernetes::registry::custom {

// Returns the body of a request to convert `objects`, all of the same version, to `to`.
std::string conversion_review(const CustomVersion& to, std::string_view uid,
                              const std::vector<std::string_view>& objects);

// Returns an answer for each of the objects; its text is an ObjectText.
std::vector<PendingWork::Answer> read_conversion_review(
    const CustomVersion& to, std::string_view uid, const std::vector<std::string_view>& objects,
    std::string_view url, const WebhookAnswer& answer);

}  // namespace tabernetes::registry::custom
