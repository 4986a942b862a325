#include "server/verbs/kubelet_documents.h"

#include <span>
#include <string>
#include <vector>

#include "base/algorithm/sort.h"
#include "base/numbers/float_digits.h"
#include "base/time/rfc3339.h"
#include "controllers/kubelet/node.h"
#include "controllers/kubelet/usage.h"
#include "json/access.h"
#include "registry/objects/object_record.h"
#include "server/encode/answer.h"

namespace tabernetes::server {
namespace {

using controllers::kubelet::ContainerUsage;
using controllers::kubelet::UsagePoint;
using json::Value;

struct RunningPod {
  std::string ns, name, uid, start_time;
  std::vector<std::string> names;  // of the containers, whose usage this is
  std::vector<ContainerUsage> usage;
};

std::vector<RunningPod> pods_on(const RequestContext& call, std::string_view node_name) {
  std::vector<RunningPod> pods;
  const registry::ResourceType& type = *call.resources.find("", "v1", "pods");
  call.objects.tree().scan(type.key_prefix, store::prefix_end(type.key_prefix),
                           [&](std::string_view, const store::RecordPtr& record) {
                             json::Arena arena;
                             const Value pod = registry::read_object(type, *record, arena);
                             if (text_at(pod, {"spec", "nodeName"}) != node_name) return true;
                             RunningPod running{
                                 std::string(text_at(pod, {"metadata", "namespace"})),
                                 std::string(text_at(pod, {"metadata", "name"})),
                                 std::string(text_at(pod, {"metadata", "uid"})),
                                 std::string(text_at(pod, {"status", "startTime"})),
                                 {},
                                 controllers::kubelet::usage_of_pod(pod, call.behaviour, call.now)};
                             for (const ContainerUsage& one : running.usage)
                               running.names.emplace_back(one.name);
                             if (!running.usage.empty()) pods.push_back(std::move(running));
                             return true;
                           });
  return pods;
}

// Returns how many nanoseconds of a core were used, had the present usage always been the same.
std::int64_t used_nanoseconds(const UsagePoint& usage) {
  return static_cast<std::int64_t>(static_cast<double>(usage.cpu) * usage.after.seconds());
}

void append_usage(Value& object, const UsagePoint& usage, Time now, json::Arena& arena) {
  const Value time = Value::string(arena.copy(format_rfc3339(now)));
  Value cpu = Value::object(arena);
  cpu.append(arena, "time", time);
  cpu.append(arena, "usageNanoCores", Value::integer(usage.cpu));
  cpu.append(arena, "usageCoreNanoSeconds", Value::integer(used_nanoseconds(usage)));
  Value memory = Value::object(arena);
  memory.append(arena, "time", time);
  memory.append(arena, "usageBytes", Value::integer(usage.memory));
  memory.append(arena, "workingSetBytes", Value::integer(usage.memory));
  memory.append(arena, "rssBytes", Value::integer(usage.memory));
  object.append(arena, "cpu", cpu);
  object.append(arena, "memory", memory);
}

Value pod_summary(const RunningPod& pod, Time now, json::Arena& arena) {
  Value reference = Value::object(arena);
  reference.append(arena, "name", Value::string(pod.name));
  reference.append(arena, "namespace", Value::string(pod.ns));
  reference.append(arena, "uid", Value::string(pod.uid));
  Value containers = Value::array(arena);
  for (std::size_t i = 0; i < pod.usage.size(); ++i) {
    Value container = Value::object(arena);
    container.append(arena, "name", Value::string(pod.names[i]));
    container.append(arena, "startTime",
                     Value::string(arena.copy(format_rfc3339(pod.usage[i].started))));
    append_usage(container, pod.usage[i].usage, now, arena);
    containers.push_back(arena, container);
  }
  Value summary = Value::object(arena);
  summary.append(arena, "podRef", reference);
  summary.append(arena, "startTime", Value::string(pod.start_time));
  summary.append(arena, "containers", containers);
  append_usage(summary, controllers::kubelet::sum_of(pod.usage), now, arena);
  return summary;
}

UsagePoint node_usage(const std::vector<RunningPod>& pods, Duration since) {
  UsagePoint sum{since, controllers::kubelet::kNodeCpu, controllers::kubelet::kNodeMemory};
  for (const RunningPod& pod : pods) {
    const UsagePoint more = controllers::kubelet::sum_of(pod.usage);
    sum.cpu += more.cpu;
    sum.memory += more.memory;
  }
  return sum;
}

// When the node began.
Time start_of(const Value& node, Time now) {
  return parse_rfc3339(text_at(node, {"metadata", "creationTimestamp"})).value_or(now);
}

Response summary_answer(const RequestContext& call, const Value& node,
                        const std::vector<RunningPod>& pods) {
  json::Arena& arena = call.arena;
  const Time begin = start_of(node, call.now);
  Value about = Value::object(arena);
  about.append(arena, "nodeName", *node.at({"metadata", "name"}));
  about.append(arena, "startTime", Value::string(arena.copy(format_rfc3339(begin))));
  append_usage(about, node_usage(pods, call.now - begin), call.now, arena);
  Value list = Value::array(arena);
  for (const RunningPod& pod : pods) list.push_back(arena, pod_summary(pod, call.now, arena));
  Value summary = Value::object(arena);
  summary.append(arena, "node", about);
  summary.append(arena, "pods", list);
  return answer_tree({}, 200, summary);
}

// A line of each metric.
struct Series {
  std::string labels;
  UsagePoint usage;
  Time started;
};

double cpu_seconds(const Series& series) {
  return static_cast<double>(used_nanoseconds(series.usage)) / 1e9;
}
double memory_bytes(const Series& series) { return static_cast<double>(series.usage.memory); }
double start_seconds(const Series& series) {
  return static_cast<double>(series.started.unix_nanoseconds) / 1e9;
}
double no_error(const Series&) { return 0; }

// The series of pods and of their containers, in the order of their labels.
struct AllSeries {
  std::vector<Series> pods, containers;

  explicit AllSeries(const std::vector<RunningPod>& running) {
    for (const RunningPod& pod : running) {
      const std::string of_pod = "namespace=\"" + pod.ns + "\",pod=\"" + pod.name + "\"}";
      pods.push_back({"{" + of_pod, controllers::kubelet::sum_of(pod.usage), {}});
      for (std::size_t i = 0; i < pod.usage.size(); ++i) {
        containers.push_back({"{container=\"" + pod.names[i] + "\"," + of_pod, pod.usage[i].usage,
                              pod.usage[i].started});
      }
    }
    const auto before = [](const Series& a, const Series& b) { return a.labels < b.labels; };
    sort_stable(pods, before);
    sort_stable(containers, before);
  }
};

// Adds a metric in Prometheus' format, as a kubelet's registry writes it. `stamp` follows each
// value.
void add_metric(std::string& page, std::string_view name, std::string_view type,
                std::string_view help, std::span<const Series> all, double (*value)(const Series&),
                std::string_view stamp = {}) {
  if (all.empty()) return;
  page.append("# HELP ").append(name).append(" [STABLE] ").append(help).append("\n# TYPE ");
  page.append(name).append(" ").append(type).append("\n");
  for (const Series& each : all) {
    page.append(name).append(each.labels).append(" ").append(go_g_float(value(each)));
    page.append(stamp).append("\n");
  }
}

void add_usage(std::string& page, const std::string& whose, std::span<const Series> all,
               std::string_view stamp) {
  add_metric(page, whose + "_cpu_usage_seconds_total", "counter",
             "Cumulative cpu time consumed by the " + whose + " in core-seconds", all, &cpu_seconds,
             stamp);
  add_metric(page, whose + "_memory_working_set_bytes", "gauge",
             "Current working set of the " + whose + " in bytes", all, &memory_bytes, stamp);
}

Response metrics_answer(const RequestContext& call, const Value& node,
                        const std::vector<RunningPod>& pods) {
  const AllSeries all(pods);
  const Series whole{{}, node_usage(pods, call.now - start_of(node, call.now)), {}};
  const std::string stamp = " " + std::to_string(call.now.unix_nanoseconds / 1'000'000);
  std::string page;
  add_usage(page, "container", all.containers, stamp);
  add_metric(page, "container_start_time_seconds", "gauge",
             "Start time of the container since unix epoch in seconds", all.containers,
             &start_seconds);
  add_usage(page, "node", {&whole, 1}, stamp);
  add_usage(page, "pod", all.pods, stamp);
  add_metric(page, "resource_scrape_error", "gauge",
             "1 if there was an error while getting container metrics, 0 otherwise", {&whole, 1},
             &no_error);
  Response response;
  response.headers = {
      {"Cache-Control", "no-cache, private"},
      {"Content-Type", "text/plain; version=0.0.4; charset=utf-8; escaping=underscores"}};
  response.body = Rope(std::move(page));
  return response;
}

}  // namespace

std::optional<Response> answer_for_kubelet(RequestContext& call, std::string_view node_name) {
  std::string_view path = call.request.target;
  path = path.substr(0, path.find('?'));
  const bool summary = path.ends_with("/proxy/stats/summary");
  if (call.request.method != "GET" || !(summary || path.ends_with("/proxy/metrics/resource"))) {
    return std::nullopt;
  }
  const registry::ResourceType& type = *call.resources.find("", "v1", "nodes");
  const store::RecordPtr record = call.objects.tree().find(type.key({}, node_name));
  if (record == nullptr) return std::nullopt;
  const Value node = registry::read_object(type, *record, call.arena).clone(call.arena);
  if (!controllers::kubelet::is_simulated(node)) return std::nullopt;
  const std::vector<RunningPod> pods = pods_on(call, node_name);
  return summary ? summary_answer(call, node, pods) : metrics_answer(call, node, pods);
}

}  // namespace tabernetes::server
