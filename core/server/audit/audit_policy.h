// Audit policies (audit.k8s.io/v1): which requests are logged, and how much of them. Source:
// upstream 1.36 apiserver pkg/audit/policy/{reader,checker}.go,
// pkg/apis/audit/validation/validation.go.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "auth/authorizer.h"

namespace tabernetes::server {

enum class AuditLevel : std::uint8_t { kNone, kMetadata, kRequest, kRequestResponse };
enum class AuditStage : std::uint8_t {
  kRequestReceived,
  kResponseStarted,
  kResponseComplete,
  kPanic
};

std::string_view name_of(AuditLevel level);
std::string_view name_of(AuditStage stage);

// What is logged of a request.
struct AuditScope {
  AuditLevel level = AuditLevel::kNone;
  std::uint8_t omitted = 0;  // a bit for each stage
  bool omits_managed_fields = false;

  bool shows(AuditStage stage) const {
    return level != AuditLevel::kNone && (omitted & (1U << static_cast<unsigned>(stage))) == 0;
  }
};

// The objects of a group that a rule is for.
struct AuditedResources {
  std::string group;
  std::vector<std::string> resources, names;
};

struct AuditRule {
  std::string level;
  std::vector<std::string> users, groups, verbs, namespaces, paths, omitted_stages;
  std::vector<AuditedResources> resources;
  std::optional<bool> omits_managed_fields;

  // `known`: there is a user.
  bool matches(const auth::Attributes& request, bool known) const;
};

struct AuditPolicy {
  std::vector<AuditRule> rules;
  std::vector<std::string> omitted_stages;
  bool omits_managed_fields = false;

  // Returns the scope of the first rule that matches.
  AuditScope scope_of(const auth::Attributes& request, bool known) const;
};

struct ReadAuditPolicy {
  AuditPolicy policy;
  std::string warning;  // what is wrong with it, although it can be used; usually empty
};

// Reads a policy: YAML or JSON. Errors: upstream's, without the name of the file.
tl::expected<ReadAuditPolicy, std::string> read_audit_policy(std::string_view text);

}  // namespace tabernetes::server
