// Warnings by kind; hooks of Strategy. `old` is null on create. Source: upstream 1.36
// pkg/registry/*/*/strategy.go (WarningsOnCreate, WarningsOnUpdate).
#pragma once

#include "registry/kind/warnings.h"

namespace tabernetes::registry::kinds {

using validation::Field;

void warn_of_pod(const Field& pod, const json::Value* old, Warnings& out);
void warn_of_pod_status(const Field& pod, const json::Value* old, Warnings& out);
void warn_of_pod_template(const Field& object, const json::Value* old, Warnings& out);
// ReplicaSet, Deployment
void warn_of_replicas(const Field& object, const json::Value* old, Warnings& out);
void warn_of_replication_controller(const Field& object, const json::Value* old, Warnings& out);
void warn_of_stateful_set(const Field& object, const json::Value* old, Warnings& out);
void warn_of_daemon_set(const Field& object, const json::Value* old, Warnings& out);
void warn_of_job(const Field& object, const json::Value* old, Warnings& out);
void warn_of_cron_job(const Field& object, const json::Value* old, Warnings& out);

void warn_of_service(const Field& object, const json::Value* old, Warnings& out);
void warn_of_balancer_status(const Field& object, const json::Value* old, Warnings& out);
void warn_of_endpoints(const Field& object, const json::Value* old, Warnings& out);
void warn_of_endpoint_slice(const Field& object, const json::Value* old, Warnings& out);
void warn_of_ingress(const Field& object, const json::Value* old, Warnings& out);
void warn_of_network_policy(const Field& object, const json::Value* old, Warnings& out);

void warn_of_persistent_volume(const Field& object, const json::Value* old, Warnings& out);
void warn_of_persistent_volume_claim(const Field& object, const json::Value* old, Warnings& out);
void warn_of_storage_class(const Field& object, const json::Value* old, Warnings& out);
void warn_of_storage_capacity(const Field& object, const json::Value* old, Warnings& out);
void warn_of_csi_driver(const Field& object, const json::Value* old, Warnings& out);

void warn_of_node(const Field& object, const json::Value* old, Warnings& out);
void warn_of_secret(const Field& object, const json::Value* old, Warnings& out);
void warn_of_service_account(const Field& object, const json::Value* old, Warnings& out);
void warn_of_resource_quota(const Field& object, const json::Value* old, Warnings& out);
void warn_of_runtime_class(const Field& object, const json::Value* old, Warnings& out);
void warn_of_resource_slice(const Field& object, const json::Value* old, Warnings& out);
void warn_of_static_name(const Field& object, const json::Value* old, Warnings& out);

// Parts that several kinds share.

// Warns about an obsolete node label; `key` precedes the message.
void warn_of_node_label(const Field& place, std::string_view label, Warnings& out,
                        std::string_view key = {});
// Warns about the terms of a node selector; with `values`, also about their values.
void warn_of_node_term(const Field& term, bool values, Warnings& out);
// Warns if the amount of `resource` in a list is not a whole number of bytes.
void warn_of_fraction(const Field& list, std::string_view resource, Warnings& out);
void warn_of_claim_spec(const Field& resources, Warnings& out);
// Warn about addresses and ranges in noncanonical form.
void warn_of_ip(const Field& place, Warnings& out, std::string_view text);
inline void warn_of_ip(const Field& place, Warnings& out) { warn_of_ip(place, out, place.text()); }
void warn_of_ips(const Field& addresses, Warnings& out);
void warn_of_cidr(const Field& range, Warnings& out);
void warn_of_volumes(const Field& volumes, Warnings& out);
// Returns what is wrong with a certificate and its key, as crypto/tls.X509KeyPair; empty if they
// are valid.
std::string key_pair_fault(std::string_view certificate, std::string_view key);

}  // namespace tabernetes::registry::kinds
