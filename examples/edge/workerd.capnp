# The same worker in workerd itself: npm run workerd
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .clusters),
    (name = "storage", disk = (path = "build/storage", writable = true))],
  sockets = [(name = "http", address = "127.0.0.1:8787", http = (), service = "main")]);

const clusters :Workerd.Worker = (
  compatibilityDate = "2025-09-01",
  modules = [
    (name = "worker.js", esModule = embed "build/worker.js"),
    (name = "tabernetes/tabernetes.wasm", wasm = embed "node_modules/tabernetes/dist/tabernetes.wasm")],
  durableObjectNamespaces = [(className = "ClusterObject", uniqueKey = "clusters", enableSql = true)],
  durableObjectStorage = (localDisk = "storage"),
  bindings = [(name = "CLUSTER", durableObjectNamespace = "ClusterObject")]);
