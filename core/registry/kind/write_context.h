// The context of a write: its origin, user and options.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/api/result.h"
#include "json/value.h"
#include "registry/kind/audit_notes.h"
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

// The origin of an object. A manifest loaded at start may keep fields that only the server sets:
// uid, creationTimestamp and status of a dump.
enum class Origin { kClient, kManifest };

// The context of a write.
struct WriteContext {
  json::Arena& arena;
  Time now;
  bool dry_run = false;
  Origin origin = Origin::kClient;
  std::vector<std::string>* warnings = nullptr;  // see HookContext
  AuditNotes* notes = nullptr;  // annotations of its audit event; null: there is none
  // The field manager of the write, such as "kubectl" or "kube-controller-manager".
  std::string manager = {};
  std::string_view subresource = {};  // the endpoint's subresource; empty: the object itself
  // False: the object already has its final managedFields.
  bool tracks_fields = true;
  // A server-side apply, which creates a missing object.
  bool applies = false;
  // The creation of a missing object by a PUT or an apply, which keeps the time of its deletion.
  bool creates_by_update = false;
  // Checks the right to create the object that a PUT or an apply names, if it is missing; called
  // after its validation. Empty: nothing more is asked.
  std::function<Result<void>()> check_may_create = {};
  const User* user = nullptr;  // of the request; null: the server itself
  // Missing answers of the request; null: no question can be asked.
  PendingWork* pending = nullptr;
  // The CreateOptions, UpdateOptions, PatchOptions or DeleteOptions of the request, as admission
  // shows them. Null: those without any option set, except for a dry run.
  json::Value options = {};
  Duration patience = kPatience;  // how long the request may take
  // A dry run that only collects the questions of a request that is none: admission shows no dry
  // run.
  bool rehearses = false;

  static constexpr Duration kPatience = Duration::from_seconds(34);
  bool shows_dry_run() const { return dry_run && !rehearses; }
};

// Returns the context in which the server itself writes during a request, to `subresource`.
WriteContext server_context(const WriteContext& context, std::string_view subresource);

}  // namespace tabernetes::registry
