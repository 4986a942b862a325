// Whom and what a write is for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "registry/kind/pending_work.h"
#include "registry/kind/resource_type.h"
#include "registry/meta/user.h"
#include "tabernetes/time.h"

namespace tabernetes::registry {

// Names one object. `ns` is empty for cluster-scoped resources.
struct ObjectRef {
  const ResourceType* type = nullptr;
  std::string_view ns, name;
};

// Where an object comes from. A manifest loaded at start may keep what only the server sets: uid,
// creationTimestamp and status of a dump.
enum class Origin { kClient, kManifest };

// What a write runs in.
struct WriteContext {
  json::Arena& arena;
  Time now;
  bool dry_run = false;
  Origin origin = Origin::kClient;
  std::vector<std::string>* warnings = nullptr;  // see HookContext
  // Who owns what is written from now on, such as "kubectl" or "kube-controller-manager".
  std::string manager = {};
  std::string_view subresource = {};  // whose endpoint it is; empty: the object's own
  // False: the object that is to be written has the managedFields that it is to have.
  bool tracks_fields = true;
  // A server-side apply, which creates what is not there.
  bool applies = false;
  const User* user = nullptr;  // who asks; null: the server itself
  // What the request waits for; null: nobody outside of the server is asked.
  PendingWork* pending = nullptr;
};

// In which the server itself writes in the course of a request, at `subresource` of the object.
WriteContext server_context(const WriteContext& context, std::string_view subresource);

}  // namespace tabernetes::registry
