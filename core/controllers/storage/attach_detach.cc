#include "controllers/storage/attach_detach.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/crypto/hash.h"
#include "base/go/text.h"
#include "base/text/parts.h"
#include "controllers/shared/event_recorder.h"
#include "controllers/shared/objects.h"
#include "controllers/storage/pod_claims.h"
#include "json/access.h"
#include "json/equality.h"
#include "json/fill.h"
#include "registry/meta/conditions.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr Resource kDrivers{"storage.k8s.io", "v1", "csidrivers"};
constexpr std::string_view kAttachSource = "attachdetach-controller";
constexpr std::string_view kControllerAttaches =
    "volumes.kubernetes.io/controller-managed-attach-detach";
// Its volumes are of nothing, which is everywhere.
constexpr std::string_view kAttachesNothing = "hostless.tabernetes.dev";
constexpr std::string_view kOutOfServiceNode = "node.kubernetes.io/out-of-service";

constexpr Duration kAttachTimeout = Duration::from_seconds(120);
constexpr Duration kForcedDetach = Duration::from_seconds(360);
constexpr Duration kFirstBackoff = Duration::from_milliseconds(500);
constexpr Duration kLongestBackoff = Duration::from_seconds(122);

Duration backoff_after(int failures) {
  Duration backoff = kFirstBackoff;
  for (int i = 1; i < failures && backoff < kLongestBackoff; ++i) backoff.nanoseconds *= 2;
  return std::min(backoff, kLongestBackoff);
}

// A volume that pods of a node need there.
struct WantedVolume {
  std::string driver, handle, volume;  // the last is the PersistentVolume
  bool shared = true;                  // it may be attached to several nodes
  std::vector<const PodSummary*> pods;

  // As upstream's csi plugin names it.
  std::string unique_name() const { return "kubernetes.io/csi/" + driver + "^" + handle; }
};

std::string attachment_name(const WantedVolume& volume, std::string_view node) {
  return "csi-" + sha256_hex(volume.handle + volume.driver + std::string(node));
}

bool may_be_shared(const Value& volume) {
  const auto modes = items_at(volume, {"spec", "accessModes"});
  return modes.empty() || std::any_of(modes.begin(), modes.end(), [](const Value& mode) {
           return mode.as_string() == "ReadWriteMany" || mode.as_string() == "ReadOnlyMany";
         });
}

// The volumes of one node.
class NodeVolumes {
 public:
  NodeVolumes(const ReconcileContext& cluster, const std::string& name,
              AttachDetach::Progress& progress)
      : cluster_(cluster), name_(name), node_(get(cluster, kNodes, {}, name)), progress_(progress) {
    for (const Value& item : items_at(node_, {"status", "volumesAttached"})) {
      reported_.emplace(item.string_at("name"));
    }
    find_wanted();
    for (const Value& attachment : list(cluster, kVolumeAttachments)) {
      all_.push_back(attachment);
      if (text_at(attachment, {"spec", "nodeName"}) == name) own_.push_back(attachment);
    }
  }

  void sync() {
    for (const Value& attachment : own_) {
      if (wanted_.count(std::string(name_of(attachment))) == 0) detach(attachment);
    }
    for (const auto& [attachment, volume] : wanted_) attach(attachment, volume);
    report_attached();
  }

  // Returns when to look again, if nothing changes.
  std::optional<Time> next() const { return next_; }
  bool any() const { return !wanted_.empty() || !own_.empty(); }
  bool waits() const { return waits_; }

 private:
  void look_again(Time time) { next_ = next_ ? std::min(*next_, time) : time; }

  void find_wanted() {
    if (node_.is_null() || !has(node_, {"metadata", "annotations", kControllerAttaches})) return;
    const registry::ResourceType& pods = type_of(cluster_.registry, kPods);
    for (const PodSummary* pod : cluster_.informers.pods_on(name_)) {
      if (pod->terminal() || !pod->uses_claims) continue;
      const Value object = registry::read_object(pods, *pod->record, cluster_.arena);
      for (const std::string& claim : claims_of(object)) want(*pod, claim);
    }
  }

  void want(const PodSummary& pod, const std::string& claim_name) {
    const Value claim = get(cluster_, kPersistentVolumeClaims, pod.ns, claim_name);
    if (claim.is_null() || text_at(claim, {"status", "phase"}) != "Bound") return;
    const Value volume =
        get(cluster_, kPersistentVolumes, {}, text_at(claim, {"spec", "volumeName"}));
    if (volume.is_null() || text_at(volume, {"spec", "claimRef", "uid"}) != uid_of(claim)) return;
    WantedVolume wanted{std::string(text_at(volume, {"spec", "csi", "driver"})),
                        std::string(text_at(volume, {"spec", "csi", "volumeHandle"})),
                        std::string(name_of(volume)),
                        may_be_shared(volume),
                        {}};
    if (wanted.driver.empty() || !needs_attachment(wanted.driver)) return;
    WantedVolume& known = wanted_.try_emplace(attachment_name(wanted, name_), wanted).first->second;
    known.pods.push_back(&pod);
  }

  bool needs_attachment(std::string_view driver) const {
    if (driver == kAttachesNothing) return false;
    const Value found = get(cluster_, kDrivers, {}, driver);
    const Value* required = found.is_null() ? nullptr : found.at({"spec", "attachRequired"});
    return required == nullptr || required->as_bool();
  }

  // The unique name of an attachment's volume, or an empty text if the volume is gone.
  std::string volume_of(const Value& attachment) const {
    const Value volume = get(cluster_, kPersistentVolumes, {},
                             text_at(attachment, {"spec", "source", "persistentVolumeName"}));
    if (volume.is_null()) return {};
    return "kubernetes.io/csi/" + std::string(text_at(attachment, {"spec", "attacher"})) + "^" +
           std::string(text_at(volume, {"spec", "csi", "volumeHandle"}));
  }

  bool is_mounted(const std::string& volume) const {
    const auto in_use = items_at(node_, {"status", "volumesInUse"});
    return std::any_of(in_use.begin(), in_use.end(),
                       [&](const Value& name) { return name.as_string() == volume; });
  }

  bool is_out_of_service_node() const {
    const auto taints = items_at(node_, {"spec", "taints"});
    return std::any_of(taints.begin(), taints.end(), [](const Value& taint) {
      return taint.string_at("key") == kOutOfServiceNode;
    });
  }

  // Returns whether a volume must stay attached, since it is mounted: on a node that is not ready
  // for some minutes only.
  bool must_stay(const Value& attachment) {
    if (node_.is_null() || !is_mounted(volume_of(attachment)) || is_out_of_service_node()) {
      return false;
    }
    const std::string key(name_of(attachment));
    const Time since = progress_.detach_since.try_emplace(key, cluster_.now).first->second;
    if (registry::condition_is_true(node_, "Ready")) return true;
    if (cluster_.now >= since + kForcedDetach) return false;
    look_again(since + kForcedDetach);
    return true;
  }

  void detach(const Value& attachment) {
    const std::string key(name_of(attachment));
    if (!key.starts_with("csi-") || is_terminating(attachment)) return;
    if (must_stay(attachment)) {
      attached_.insert(volume_of(attachment));
      return;
    }
    progress_.detach_since.erase(key);
    progress_.attempts.erase(key);
    // First the node, which must not mount it any more.
    detached_.insert(volume_of(attachment));
    report_attached();
    (void)delete_object(cluster_, ref_of(cluster_, kVolumeAttachments, attachment),
                        uid_of(attachment));
  }

  void attach(const std::string& key, const WantedVolume& volume) {
    progress_.detach_since.erase(key);
    const auto present = std::find_if(own_.begin(), own_.end(), [&](const Value& attachment) {
      return name_of(attachment) == key;
    });
    if (present == own_.end()) {
      if (may_attach(key, volume)) create_attachment(key, volume);
    } else if (bool_at(*present, {"status", "attached"})) {
      progress_.attempts.erase(key);
      attached_.insert(volume.unique_name());
      if (reported_.count(volume.unique_name()) != 0) return;
      tell(volume, {kAttachSource, "Normal", "SuccessfulAttachVolume",
                    "AttachVolume.Attach succeeded for volume " + go_quote(volume.volume) + " "});
    } else {
      wait_for(key, *present, volume);
    }
  }

  void create_attachment(const std::string& key, const WantedVolume& volume) {
    json::Arena& arena = cluster_.arena;
    progress_.told_in_use.erase(key);
    const Value spec = object_of(
        {{"attacher", text_value(volume.driver, arena)},
         {"source", object_of({{"persistentVolumeName", text_value(volume.volume, arena)}}, arena)},
         {"nodeName", text_value(name_, arena)}},
        arena);
    (void)create(cluster_, kVolumeAttachments, {},
                 object_of({{"metadata", object_of({{"name", text_value(key, arena)}}, arena)},
                            {"spec", spec}},
                           arena));
    progress_.attempts[key] = {0, cluster_.now + kAttachTimeout};
    look_again(cluster_.now + kAttachTimeout);
  }

  // Tells that a driver does not attach a volume.
  void wait_for(const std::string& key, const Value& attachment, const WantedVolume& volume) {
    const Value* error = attachment.at({"status", "attachError"});
    AttachDetach::Progress::Attempt& attempt =
        progress_.attempts
            .try_emplace(key, AttachDetach::Progress::Attempt{0, cluster_.now + kAttachTimeout})
            .first->second;
    if (error != nullptr && attempt.failures == 0) attempt.next = cluster_.now;
    if (cluster_.now >= attempt.next) {
      const std::string why = error != nullptr
                                  ? std::string(error->string_at("message"))
                                  : "timed out waiting for external-attacher of " + volume.driver +
                                        " CSI driver to attach volume " + volume.handle;
      tell(volume,
           {kAttachSource, "Warning", "FailedAttachVolume",
            "AttachVolume.Attach failed for volume " + go_quote(volume.volume) + " : " + why});
      ++attempt.failures;
      attempt.next = cluster_.now + backoff_after(attempt.failures) +
                     (error != nullptr ? Duration{} : kAttachTimeout);
    }
    look_again(attempt.next);
  }

  // Returns whether a volume is not attached to another node, or may be. Otherwise it is told once.
  bool may_attach(const std::string& key, const WantedVolume& volume) {
    if (volume.shared) return true;
    std::vector<std::string_view> others;
    for (const Value& attachment : all_) {
      if (text_at(attachment, {"spec", "source", "persistentVolumeName"}) == volume.volume) {
        others.push_back(text_at(attachment, {"spec", "nodeName"}));
      }
    }
    if (others.empty()) return true;
    waits_ = true;
    if (!progress_.told_in_use.insert(key).second) return false;
    for (const PodSummary* pod : volume.pods) tell_in_use(volume, *pod, others);
    return false;
  }

  void tell_in_use(const WantedVolume& volume, const PodSummary& pod,
                   const std::vector<std::string_view>& nodes) const {
    const Users users = users_of(volume.volume, pod.ns, nodes);
    const std::string elsewhere =
        std::to_string(users.elsewhere) + " pod(s) in different namespaces";
    std::string why = "Volume is already used by ";
    if (!users.here.empty()) {
      why += "pod(s) " + join(users.here, ", ");
      if (users.elsewhere > 0) why += " and " + elsewhere;
    } else if (users.elsewhere > 0) {
      why += elsewhere;
    } else {
      why = "Volume is already exclusively attached to one node and can't be attached to another";
    }
    tell_pod(pod, {kAttachSource, "Warning", "FailedAttachVolume",
                   "Multi-Attach error for volume " + go_quote(volume.volume) + " " + why});
  }

  struct Users {
    std::vector<std::string> here;  // of the namespace
    int elsewhere = 0;
  };
  Users users_of(std::string_view volume, std::string_view ns,
                 const std::vector<std::string_view>& nodes) const {
    Users users;
    const Value object = get(cluster_, kPersistentVolumes, {}, volume);
    const std::string_view claim_ns = text_at(object, {"spec", "claimRef", "namespace"});
    const std::string_view claim = text_at(object, {"spec", "claimRef", "name"});
    const registry::ResourceType& pods = type_of(cluster_.registry, kPods);
    for (const std::string_view node : nodes) {
      for (const PodSummary* pod : cluster_.informers.pods_on(node)) {
        if (pod->ns != claim_ns || pod->terminal() || !pod->uses_claims) continue;
        json::Arena arena;
        const auto claims = claims_of(registry::read_object(pods, *pod->record, arena));
        if (std::find(claims.begin(), claims.end(), claim) == claims.end()) continue;
        if (pod->ns == ns) {
          users.here.emplace_back(pod->name);
        } else {
          ++users.elsewhere;
        }
      }
    }
    return users;
  }

  void tell(const WantedVolume& volume, const EventText& text) const {
    for (const PodSummary* pod : volume.pods) tell_pod(*pod, text);
  }
  void tell_pod(const PodSummary& pod, const EventText& text) const {
    record_event(cluster_, {&type_of(cluster_.registry, kPods), pod.ns, pod.name}, text);
  }

  // Brings status.volumesAttached of the node up to date: what is attached, without what is about
  // to be detached.
  void report_attached() {
    if (node_.is_null()) return;
    json::Arena& arena = cluster_.arena;
    std::set<std::string> volumes = attached_;
    for (const Value& attachment : own_) {
      if (bool_at(attachment, {"status", "attached"})) volumes.insert(volume_of(attachment));
    }
    Value items = Value::array(arena);
    for (const std::string& volume : volumes) {
      if (volume.empty() || detached_.count(volume) != 0) continue;
      Value item = Value::object(arena);
      item.append(arena, "name", text_value(volume, arena));
      item.append(arena, "devicePath", Value::string(""));
      items.push_back(arena, item);
    }
    const Value* present = node_.at({"status", "volumesAttached"});
    if (present == nullptr ? items.size() == 0 : json::deep_equal(*present, items)) return;
    const auto updated = update_status(cluster_, {&type_of(cluster_.registry, kNodes), {}, name_},
                                       [&](Value& changed) {
                                         Value& status = object_or_new(changed, "status", arena);
                                         status.erase("volumesAttached");
                                         if (items.size() > 0)
                                           status.set(arena, "volumesAttached", items);
                                       });
    if (updated) node_ = get(cluster_, kNodes, {}, name_);
  }

  const ReconcileContext& cluster_;
  const std::string& name_;
  Value node_;
  AttachDetach::Progress& progress_;
  std::map<std::string, WantedVolume, std::less<>> wanted_;  // by name of the attachment
  std::vector<Value> all_, own_;                             // attachments; those of this node
  std::set<std::string> attached_, detached_;                // unique names
  std::set<std::string> reported_;                           // that the node had at first
  std::optional<Time> next_;
  bool waits_ = false;
};

}  // namespace

void AttachDetach::forget() {
  progress_ = Progress();
  nodes_.clear();
  waiting_.clear();
}

void AttachDetach::observe_pod(const WatchEvent& change) {
  // Volumes of a pod never change: the informers have decoded the object already.
  if (!has_claim_volumes(change.object())) return;
  for (const PodSummary* pod : {change.pod_before, change.pod}) {
    if (pod != nullptr && !pod->node.empty()) queue_.add(pod->node, change.due());
  }
}

// A claim that is bound now may be what pods on nodes wait for.
void AttachDetach::observe_claim(const WatchEvent& change) {
  if (change.now == nullptr || text_at(change.object(), {"status", "phase"}) != "Bound") return;
  if (change.before != nullptr &&
      text_at(change.object_before.get(), {"status", "phase"}) == "Bound") {
    return;
  }
  const std::string name = "\"" + std::string(change.name) + "\"";
  for (const PodSummary* pod : change.informers.pods_in(change.ns)) {
    if (pod->node.empty() || !pod->uses_claims) continue;
    const bool names_it = pod->record->bytes.find(name) != std::string::npos;
    if (names_it || pod->record->bytes.find("\"ephemeral\"") != std::string::npos) {
      queue_.add(pod->node, change.due());
    }
  }
}

void AttachDetach::on_change(const registry::Registry&, const WatchEvent& change) {
  if (change.pod != nullptr || change.pod_before != nullptr) return observe_pod(change);
  if (is(change.type, kPersistentVolumeClaims)) return observe_claim(change);
  if (is(change.type, kVolumeAttachments)) {
    queue_.add(text_at(change.object(), {"spec", "nodeName"}), change.due());
    if (change.now != nullptr) return;
    for (const std::string& node : waiting_) queue_.add(node, change.due());
  } else if (is(change.type, kNodes)) {
    if (change.before == nullptr || nodes_.count(change.name) != 0) {
      queue_.add(change.name, change.due());
    }
  }
}

void AttachDetach::reconcile(const ReconcileContext& cluster, const std::string& node) {
  NodeVolumes volumes(cluster, node, progress_);
  volumes.sync();
  if (volumes.any()) {
    nodes_.insert(node);
  } else {
    nodes_.erase(node);
  }
  if (volumes.waits()) {
    waiting_.insert(node);
  } else {
    waiting_.erase(node);
  }
  if (volumes.next()) queue_.add(node, *volumes.next(), Recurrence::kPeriodic);
}

}  // namespace tabernetes::controllers
