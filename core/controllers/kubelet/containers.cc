#include "controllers/kubelet/containers.h"

#include "base/time/rfc3339.h"
#include "json/access.h"

namespace tabernetes::controllers::kubelet {
namespace {

using json::Value;

struct Lists {
  std::string_view specs, statuses;
};
constexpr Lists kInitLists{"initContainers", "initContainerStatuses"};
constexpr Lists kMainLists{"containers", "containerStatuses"};
constexpr Lists kEphemeralLists{"ephemeralContainers", "ephemeralContainerStatuses"};

const Lists& lists_of(Role role) {
  switch (role) {
    case Role::kInit:
    case Role::kSidecar:
      return kInitLists;
    case Role::kMain:
      return kMainLists;
    default:
      return kEphemeralLists;
  }
}

Time time_at(const Value& object, std::string_view key) {
  return parse_rfc3339(object.string_at(key)).value_or(Time{});
}

void read_status(Container& container, const Value& status) {
  if (const Value* running = status.at({"state", "running"})) {
    container.state = Container::State::kRunning;
    container.started = time_at(*running, "startedAt");
  } else if (const Value* terminated = status.at({"state", "terminated"})) {
    container.state = Container::State::kTerminated;
    container.started = time_at(*terminated, "startedAt");
    container.finished = time_at(*terminated, "finishedAt");
    container.exit_code = number_at(*terminated, {"exitCode"});
    container.reason = terminated->string_at("reason");
    container.message = terminated->string_at("message");
  } else {
    container.reason = text_at(status, {"state", "waiting", "reason"});
    container.message = text_at(status, {"state", "waiting", "message"});
  }
  container.is_started = bool_at(status, {"started"});
  container.ready = bool_at(status, {"ready"});
  container.restarts = number_at(status, {"restartCount"});
  container.id = status.string_at("containerID");
  container.image = status.string_at("image");
  container.image_id = status.string_at("imageID");
  if (const Value* last = status.find("lastState")) container.last = *last;
  if (const Value* resources = status.find("resources")) container.resources = *resources;
}

void read_list(const Value& pod, Role role, std::vector<Container>& out) {
  const Lists& lists = lists_of(role);
  const auto statuses = items_at(pod, {"status", lists.statuses});
  for (const Value& spec : items_at(pod, {"spec", lists.specs})) {
    Container container;
    container.role = role;
    if (role == Role::kInit && spec.string_at("restartPolicy") == "Always") {
      container.role = Role::kSidecar;
    }
    container.spec = &spec;
    container.name = spec.string_at("name");
    for (const Value& status : statuses) {
      if (status.string_at("name") == container.name) read_status(container, status);
    }
    out.push_back(std::move(container));
  }
}

bool has_code(const Value& codes, std::int64_t code) {
  for (const Value& value : items_at(codes, {"values"})) {
    if (value.is_int() && value.as_int() == code) return true;
  }
  return false;
}

bool restarts_by(std::string_view policy, std::int64_t code) {
  return policy == "OnFailure" ? code != 0 : policy != "Never";
}

Value mounts_of(const Value& spec, json::Arena& arena) {
  Value mounts = Value::array(arena);
  for (const Value& mount : items_at(spec, {"volumeMounts"})) {
    Value shown = Value::object(arena);
    shown.append(arena, "name", Value::string(mount.string_at("name")));
    shown.append(arena, "mountPath", Value::string(mount.string_at("mountPath")));
    if (bool_at(mount, {"readOnly"})) {
      const std::string_view wanted = mount.string_at("recursiveReadOnly");
      shown.append(arena, "readOnly", Value::boolean(true));
      shown.append(arena, "recursiveReadOnly",
                   Value::string(wanted.empty() || wanted == "Disabled" ? "Disabled" : "Enabled"));
    }
    mounts.push_back(arena, shown);
  }
  return mounts;
}

// The identity that a container without a security context runs with.
Value user_of(json::Arena& arena) {
  Value groups = Value::array(arena);
  groups.push_back(arena, Value::integer(0));
  Value as = Value::object(arena);
  as.append(arena, "uid", Value::integer(0));
  as.append(arena, "gid", Value::integer(0));
  as.append(arena, "supplementalGroups", groups);
  Value user = Value::object(arena);
  user.append(arena, "linux", as);
  return user;
}

void append_time(Value& object, std::string_view key, Time time, json::Arena& arena) {
  object.append(arena, key, Value::string(arena.copy(format_rfc3339(time))));
}

Value status_of(const Container& container, json::Arena& arena) {
  Value status = Value::object(arena);
  status.append(arena, "name", Value::string(container.name));
  status.append(arena, "state", state_of(container, arena));
  status.append(arena, "lastState",
                container.last.is_object() ? container.last : Value::object(arena));
  status.append(arena, "ready", Value::boolean(container.ready));
  status.append(arena, "restartCount", Value::integer(container.restarts));
  status.append(
      arena, "image",
      Value::string(container.exists() ? container.image : container.spec->string_at("image")));
  status.append(arena, "imageID", Value::string(container.image_id));
  if (container.exists()) status.append(arena, "containerID", Value::string(container.id));
  status.append(arena, "started", Value::boolean(container.is_started));
  const Value mounts = mounts_of(*container.spec, arena);
  if (mounts.size() > 0) status.append(arena, "volumeMounts", mounts);
  if (!container.exists()) return status;
  if (container.role != Role::kEphemeral) {
    const Value* wanted = container.spec->find("resources");
    const Value resources = !container.resources.is_null() ? container.resources
                            : wanted != nullptr            ? *wanted
                                                           : Value::object(arena);
    status.append(arena, "resources", resources);
    const Value* requests = wanted == nullptr ? nullptr : wanted->find("requests");
    if (requests != nullptr) status.append(arena, "allocatedResources", *requests);
  }
  status.append(arena, "user", user_of(arena));
  return status;
}

}  // namespace

std::vector<Container> read_containers(const Value& pod) {
  std::vector<Container> containers;
  for (const Role role : {Role::kInit, Role::kMain, Role::kEphemeral}) {
    read_list(pod, role, containers);
  }
  return containers;
}

bool is_restarted(const Container& container, const Value& pod, std::int64_t exit_code) {
  if (container.role == Role::kEphemeral) return false;
  const std::string_view own = container.spec->string_at("restartPolicy");
  if (own == "Always") return true;
  if (!own.empty()) {
    for (const Value& rule : items_at(*container.spec, {"restartPolicyRules"})) {
      const Value* codes = rule.find("exitCodes");
      if (codes != nullptr && has_code(*codes, exit_code) == (codes->string_at("operator") == "In"))
        return true;
    }
    return restarts_by(own, exit_code);
  }
  std::string_view policy = text_at(pod, {"spec", "restartPolicy"});
  if (container.role == Role::kInit && policy == "Always") policy = "OnFailure";
  return restarts_by(policy, exit_code);
}

const Value* last_termination(const Container& container) {
  return container.last.is_object() ? container.last.find("terminated") : nullptr;
}

Value state_of(const Container& container, json::Arena& arena) {
  Value inner = Value::object(arena);
  std::string_view name = "waiting";
  if (container.running()) {
    name = "running";
    append_time(inner, "startedAt", container.started, arena);
  } else if (container.terminated()) {
    name = "terminated";
    inner.append(arena, "exitCode", Value::integer(container.exit_code));
    inner.append(arena, "reason", Value::string(container.reason));
    if (!container.message.empty()) {
      inner.append(arena, "message", Value::string(container.message));
    }
    if (container.exists()) {
      append_time(inner, "startedAt", container.started, arena);
      append_time(inner, "finishedAt", container.finished, arena);
      inner.append(arena, "containerID", Value::string(container.id));
    }
  } else {
    inner.append(arena, "reason", Value::string(container.reason));
    if (!container.message.empty()) {
      inner.append(arena, "message", Value::string(container.message));
    }
  }
  Value state = Value::object(arena);
  state.append(arena, name, inner);
  return state;
}

void write_containers(Value& status, const std::vector<Container>& containers, json::Arena& arena) {
  for (const Lists* lists : {&kInitLists, &kMainLists, &kEphemeralLists}) {
    Value list = Value::array(arena);
    for (const Container& container : containers) {
      if (&lists_of(container.role) == lists) list.push_back(arena, status_of(container, arena));
    }
    if (list.size() > 0) status.set(arena, lists->statuses, list);
  }
}

}  // namespace tabernetes::controllers::kubelet
