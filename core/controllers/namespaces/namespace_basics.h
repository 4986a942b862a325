// Creates the objects in every active namespace: the ServiceAccount `default`, and the ConfigMap
// `kube-root-ca.crt` with the certificate with which pods verify the server. Source:
// spec/lifecycle.md 5.5; upstream 1.36 pkg/controller/serviceaccount,
// pkg/controller/certificates/rootcacertpublisher.
#pragma once

#include "controllers/loop/queued_loop.h"

namespace tabernetes::controllers {

// Maintains an object of one name in each namespace.
class NamespaceObject : public QueueLoop {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;
  // Makes the object of a namespace at once, as it would be made a moment later.
  void make(const ReconcileContext& cluster, const std::string& ns) { reconcile(cluster, ns); }

 protected:
  NamespaceObject(std::string_view plural, std::string_view name) : plural_(plural), name_(name) {}

 private:
  // Keys: names of namespaces.
  void reconcile(const ReconcileContext& cluster, const std::string& ns) override;
  // Returns the required object, derived from the present one (null if missing), or null if it
  // needs no change.
  virtual json::Value wanted(const ReconcileContext& cluster, const json::Value& present) const = 0;

  std::string_view plural_, name_;
};

class ServiceAccounts final : public Cloneable<ServiceAccounts, NamespaceObject> {
 public:
  ServiceAccounts() : Cloneable("serviceaccounts", "default") {}

 private:
  json::Value wanted(const ReconcileContext& cluster, const json::Value& present) const override;
};

class RootCertificates final : public Cloneable<RootCertificates, NamespaceObject> {
 public:
  RootCertificates() : Cloneable("configmaps", "kube-root-ca.crt") {}

 private:
  json::Value wanted(const ReconcileContext& cluster, const json::Value& present) const override;
};

}  // namespace tabernetes::controllers
