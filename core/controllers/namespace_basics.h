// Creates the objects in every active namespace: the ServiceAccount `default`, and the ConfigMap
// `kube-root-ca.crt` with the certificate with which pods verify the server. Source:
// spec/lifecycle.md 5.5; upstream 1.36 pkg/controller/serviceaccount,
// pkg/controller/certificates/rootcacertpublisher.
#pragma once

#include "controllers/control_loop.h"
#include "controllers/work_queue.h"

namespace tabernetes::controllers {

// Maintains an object of one name in each namespace.
class NamespaceObject : public ControlLoop {
 public:
  void observe(const registry::Registry& registry, const Change& change) override;
  void restart() override { queue_.clear(); }
  std::optional<Time> next() const override { return queue_.next(); }
  void work(const Turn& turn) override;

 protected:
  NamespaceObject(std::string_view plural, std::string_view name) : plural_(plural), name_(name) {}

 private:
  // Returns the required object, derived from the present one (null if missing), or null if it
  // needs no change.
  virtual json::Value wanted(const json::Value& present, json::Arena& arena) const = 0;

  std::string_view plural_, name_;
  WorkQueue queue_;  // names of namespaces
};

class ServiceAccounts final : public NamespaceObject {
 public:
  ServiceAccounts() : NamespaceObject("serviceaccounts", "default") {}
  std::unique_ptr<ControlLoop> clone() const override {
    return std::make_unique<ServiceAccounts>(*this);
  }

 private:
  json::Value wanted(const json::Value& present, json::Arena& arena) const override;
};

class RootCertificates final : public NamespaceObject {
 public:
  RootCertificates() : NamespaceObject("configmaps", "kube-root-ca.crt") {}
  std::unique_ptr<ControlLoop> clone() const override {
    return std::make_unique<RootCertificates>(*this);
  }

 private:
  json::Value wanted(const json::Value& present, json::Arena& arena) const override;
};

}  // namespace tabernetes::controllers
