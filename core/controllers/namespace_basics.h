// What every active namespace has: the ServiceAccount `default`, and the ConfigMap
// `kube-root-ca.crt` with the certificate by which pods know the server. Source: spec/lifecycle.md
// 5.5; upstream 1.36 pkg/controller/serviceaccount,
// pkg/controller/certificates/rootcacertpublisher.
#pragma once

#include "controllers/control_loop.h"
#include "controllers/work_queue.h"

namespace tabernetes::controllers {

// Keeps one object of a name in each namespace.
class NamespaceObject : public ControlLoop {
 public:
  void observe(const registry::Registry& registry, const Change& change) override;
  void restart() override { queue_.clear(); }
  std::optional<Time> next() const override { return queue_.next(); }
  void work(const Turn& turn) override;

 protected:
  NamespaceObject(std::string_view plural, std::string_view name) : plural_(plural), name_(name) {}

 private:
  // The object as it has to be, made of the one that there is (null: none).
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
