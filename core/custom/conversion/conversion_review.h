// What is asked of a conversion webhook and what it may answer: ConversionReview of
// apiextensions.k8s.io.
//
// Source: upstream 1.36 apiextensions-apiserver pkg/apiserver/conversion/webhook_converter.go; the
// texts of faults, those of apimachinery's readers included, are those of a real server.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "custom/objects/conversions.h"
#include "json/value.h"
#include "tabernetes/webhook.h"

namespace tabernetes::registry::custom {

// The body of a call that wants `objects`, all of one version, in the version `to`.
std::string conversion_review(const CustomVersion& to, std::string_view uid,
                              const std::vector<std::string_view>& objects);

// What became of each of them: a text that is an ObjectText.
std::vector<PendingWork::Answer> read_conversion_review(
    const CustomVersion& to, std::string_view uid, const std::vector<std::string_view>& objects,
    std::string_view url, const WebhookAnswer& answer);

}  // namespace tabernetes::registry::custom
