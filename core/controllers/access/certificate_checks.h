// What signers of kubernetes.io demand of a certificate request. Source: upstream 1.36
// pkg/apis/certificates/helpers.go, pkg/controller/certificates/signer.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/crypto/certificate_request.h"
#include "json/value.h"
#include "tabernetes/certificates.h"

namespace tabernetes::controllers {

inline constexpr std::string_view kClientSigner = "kubernetes.io/kube-apiserver-client";
inline constexpr std::string_view kKubeletClientSigner =
    "kubernetes.io/kube-apiserver-client-kubelet";
inline constexpr std::string_view kKubeletServingSigner = "kubernetes.io/kubelet-serving";
inline constexpr std::string_view kLegacySigner = "kubernetes.io/legacy-unknown";

// Returns the subject of a CertificateSigningRequest.
RequestSubject subject_of(const json::Value& request);

// Returns what is wrong with a request for that signer, or an empty text. Returns nullopt if the
// signer is none of the four.
std::optional<std::string> signer_fault(std::string_view signer, const RequestSubject& subject,
                                        const json::Value& request);

// Returns the order for a request that has no fault.
CertificateOrder order_of(const json::Value& request);

// Returns whether a condition of the type is there; `only_true`: with the status True.
bool has_condition(const json::Value& request, std::string_view type, bool only_true = false);

}  // namespace tabernetes::controllers
