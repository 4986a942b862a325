// What the control loops get from the server: signed tokens, and what simulated pods use.
#pragma once

#include <memory>
#include <string>

#include "controllers/kubelet/behaviour_rules.h"
#include "controllers/loop/pod_usage.h"
#include "controllers/loop/token_signer.h"
#include "server/request/server_context.h"

namespace tabernetes::server {

class LoopServices final : public controllers::TokenSigner, public controllers::PodUsage {
 public:
  // REQUIRES: both outlive this object.
  LoopServices(const ServerContext& server,
               const std::shared_ptr<const controllers::kubelet::BehaviourRules>& behaviour)
      : server_(server), behaviour_(behaviour) {}

  std::string sign(const json::Value& claims) const override {
    return server_.token_issuer.issue(claims);
  }
  std::optional<Sample> usage_of(const json::Value& pod, Time now) const override;

 private:
  const ServerContext& server_;
  const std::shared_ptr<const controllers::kubelet::BehaviourRules>& behaviour_;
};

}  // namespace tabernetes::server
