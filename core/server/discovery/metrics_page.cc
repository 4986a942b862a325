#include "server/discovery/metrics_page.h"

#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "server/discovery/health.h"
#include "server/http/prometheus_text.h"
#include "server/http/text_answer.h"
#include "server/http/version.h"
#include "server/limits/limit_metrics.h"
#include "server/request/compression.h"

namespace tabernetes::server {
namespace {

constexpr std::string_view kMetricsType =
    "text/plain; version=0.0.4; charset=utf-8; escaping=underscores";

using Count = RequestMetrics::Count;
using registry::ResourceType;

std::string_view name_of(RequestKind::Verb verb) {
  constexpr std::string_view kNames[] = {"",      "APPLY", "DELETE", "GET",  "LIST",
                                         "PATCH", "POST",  "PUT",    "WATCH"};
  return kNames[static_cast<std::size_t>(verb)];
}

std::string_view name_of(RequestKind::Scope scope) {
  constexpr std::string_view kNames[] = {"", "cluster", "namespace", "resource"};
  return kNames[static_cast<std::size_t>(scope)];
}

std::string_view path_of(RequestKind::Endpoint endpoint) {
  constexpr std::string_view kPaths[] = {"", "/healthz", "/livez", "/readyz"};
  return kPaths[static_cast<std::size_t>(endpoint)];
}

// Resolves the numbers in a RequestKind.
struct Numbers {
  const registry::ResourceTable& table;
  const MetricResourceIds& custom;
};

// Returns the labels of a kind of request, sorted by name.
Labels labels_of(const Numbers& numbers, const RequestKind& kind, bool dry_run) {
  std::string_view group, version, plural;
  std::string subresource(path_of(kind.endpoint));
  if (const MetricResource* name = numbers.custom.find(kind.type)) {
    group = name->group;
    version = name->version;
    plural = name->plural;
    if (kind.subresource != 0) subresource = kCustomParts[kind.subresource - 1];
  } else if (kind.type != 0) {
    const schema::Resource& resource = *numbers.table.all()[kind.type - 1]->resource;
    group = resource.group;
    version = resource.version;
    plural = resource.plural;
    if (kind.subresource != 0) subresource = resource.subresources[kind.subresource - 1].name;
  }
  Labels labels = {{"component", plural.empty() ? "" : "apiserver"}};
  if (dry_run) labels.emplace_back("dry_run", kind.dry_run ? "All" : "");
  labels.emplace_back("group", group);
  labels.emplace_back("resource", plural);
  labels.emplace_back("scope", name_of(kind.scope));
  labels.emplace_back("subresource", std::move(subresource));
  labels.emplace_back("verb", name_of(kind.verb));
  labels.emplace_back("version", version);
  return labels;
}

Labels with_first(std::pair<std::string_view, std::string> first, const Labels& others) {
  Labels labels = {std::move(first)};
  labels.insert(labels.end(), others.begin(), others.end());
  return labels;
}

// The samples of one histogram: the number of values in each bucket.
struct Histogram {
  std::map<double, std::uint64_t> values;  // by the upper end of the bucket
  std::uint64_t count = 0;
  double sum = 0;
};

struct HistogramFamily {
  std::string_view name, help;
  bool dry_run = false;  // has the label; otherwise dry runs are excluded
  bool reads_only = false;
  std::vector<double> ends;
  // The upper end of a count's bucket, and the sum of its values.
  double (*end_of)(const Count&) = nullptr;
  double (*sum_of)(const Count&) = nullptr;
};

double duration_end(const Count& count) {
  const bool last = count.duration_bucket >= std::size(kDurationBuckets);
  return last ? INFINITY : kDurationBuckets[count.duration_bucket];
}
double duration_sum(const Count& count) { return static_cast<double>(count.nanoseconds) / 1e9; }

double size_end(const Count& count) {
  return count.size_bucket >= std::size(kSizeBuckets) ? INFINITY : kSizeBuckets[count.size_bucket];
}
double size_sum(const Count& count) { return static_cast<double>(count.bytes); }

bool reads(const Count& count) {
  return count.kind.verb == RequestKind::Verb::kGet || count.kind.verb == RequestKind::Verb::kList;
}

void write_histograms(PrometheusText& page, const Numbers& numbers,
                      const std::vector<Count>& counts, const HistogramFamily& family) {
  std::map<Labels, Histogram> histograms;
  for (const Count& count : counts) {
    const bool watches = count.kind.verb == RequestKind::Verb::kWatch;
    if (!family.dry_run && (count.kind.dry_run || watches)) continue;
    if (family.reads_only && !reads(count)) continue;
    Histogram& histogram = histograms[labels_of(numbers, count.kind, family.dry_run)];
    histogram.values[family.end_of(count)] += count.requests;
    histogram.count += count.requests;
    histogram.sum += family.sum_of(count);
  }
  if (histograms.empty()) return;
  page.family(family.name, "histogram", family.help);
  for (const auto& [labels, histogram] : histograms) {
    auto value = histogram.values.begin();
    std::uint64_t so_far = 0;
    const auto bucket = [&, &labels = labels, &histogram = histogram](double end) {
      for (; value != histogram.values.end() && value->first <= end; ++value) {
        so_far += value->second;
      }
      Labels with_end = labels;
      with_end.emplace_back("le", prometheus_number(end));
      page.sample("_bucket", with_end, static_cast<double>(so_far));
    };
    for (const double end : family.ends) bucket(end);
    bucket(INFINITY);
    page.sample("_sum", labels, histogram.sum);
    page.sample("_count", labels, static_cast<double>(histogram.count));
  }
}

void write_durations(PrometheusText& page, const Numbers& numbers,
                     const std::vector<Count>& counts) {
  const std::vector<double> ends(std::begin(kDurationBuckets), std::end(kDurationBuckets));
  write_histograms(page, numbers, counts,
                   {.name = "apiserver_request_duration_seconds",
                    .help = "[STABLE] How long answers took, in the cluster's time.",
                    .dry_run = true,
                    .ends = ends,
                    .end_of = &duration_end,
                    .sum_of = &duration_sum});
  // The same without the two shortest buckets.
  write_histograms(page, numbers, counts,
                   {.name = "apiserver_request_sli_duration_seconds",
                    .help = "[ALPHA] How long answers took, in the cluster's time.",
                    .ends = {ends.begin() + 2, ends.end()},
                    .end_of = &duration_end,
                    .sum_of = &duration_sum});
}

void write_totals(PrometheusText& page, const Numbers& numbers, const std::vector<Count>& counts) {
  std::map<Labels, std::uint64_t> totals;
  for (const Count& count : counts) {
    totals[with_first({"code", std::to_string(count.code)},
                      labels_of(numbers, count.kind, true))] += count.requests;
  }
  if (totals.empty()) return;
  page.family("apiserver_request_total", "counter",
              "[STABLE] Requests by verb, dry run, resource, scope and code of the answer.");
  for (const auto& [labels, total] : totals) page.sample(labels, static_cast<double>(total));
}

void write_sizes(PrometheusText& page, const Numbers& numbers, const std::vector<Count>& counts) {
  write_histograms(page, numbers, counts,
                   {.name = "apiserver_response_sizes",
                    .help = "[STABLE] Bytes of answers to reads.",
                    .dry_run = false,
                    .reads_only = true,
                    .ends = {std::begin(kSizeBuckets), std::end(kSizeBuckets)},
                    .end_of = &size_end,
                    .sum_of = &size_sum});
}

void write_watches(PrometheusText& page, const Cluster& cluster, const Numbers& numbers) {
  std::map<Labels, std::size_t> open;
  cluster.watches.visit([&](const WatchKey& content, std::size_t watches) {
    const ResourceType& type = *content.type;
    RequestKind kind{.verb = RequestKind::Verb::kWatch, .type = type.index + 1};
    if (!type.built_in()) kind.type = numbers.custom.number_of(*type.resource);
    kind.scope = !content.scope.ends_with('/')                 ? RequestKind::Scope::kResource
                 : content.scope == type.collection_prefix("") ? RequestKind::Scope::kCluster
                                                               : RequestKind::Scope::kNamespace;
    open[labels_of(numbers, kind, false)] += watches;
  });
  if (open.empty()) return;
  page.family("apiserver_longrunning_requests", "gauge",
              "[STABLE] Watches that are open, by resource and scope.");
  for (const auto& [labels, watches] : open) page.sample(labels, static_cast<double>(watches));
}

// Writes objects by resource; those served in several versions count once.
void write_objects(PrometheusText& page, const Cluster& cluster) {
  std::map<Labels, std::size_t> by_group;
  std::map<Labels, std::size_t> by_name;
  for (const ResourceType* each : cluster.registry.resources().all()) {
    const ResourceType& type = *each;
    if (type.storage != nullptr || !type.resource->has_verb("list")) continue;
    const std::string prefix = type.collection_prefix("");
    const std::size_t count = cluster.store.settled_tree().count(prefix, store::prefix_end(prefix));
    const schema::Resource& resource = *type.resource;
    std::string name(resource.plural);
    if (!resource.group.empty()) name.append(".").append(resource.group);
    by_group[{{"group", std::string(resource.group)}, {"resource", std::string(resource.plural)}}] =
        count;
    by_name[{{"resource", std::move(name)}}] = count;
  }
  page.family("apiserver_resource_objects", "gauge", "[ALPHA] Stored objects, by resource.");
  for (const auto& [labels, count] : by_group) page.sample(labels, static_cast<double>(count));
  page.family("apiserver_storage_objects", "gauge",
              "[STABLE] (Deprecated since 1.34.0) Stored objects, by resource.");
  for (const auto& [labels, count] : by_name) page.sample(labels, static_cast<double>(count));
}

void write_build(PrometheusText& page) {
  page.family("kubernetes_build_info", "gauge",
              "[ALPHA] Always 1; the labels tell which version of Kubernetes this one answers as.");
  page.sample({{"build_date", std::string(kVersion.build_date)},
               {"compiler", std::string(kVersion.compiler)},
               {"git_commit", ""},
               {"git_tree_state", std::string(kVersion.git_tree_state)},
               {"git_version", std::string(kVersion.git_version)},
               {"go_version", std::string(kVersion.go_version)},
               {"major", std::string(kVersion.major)},
               {"minor", std::string(kVersion.minor)},
               {"platform", std::string(kVersion.platform)}},
              1);
}

void write_gates(PrometheusText& page, const ServerContext& server) {
  page.family("kubernetes_feature_enabled", "gauge",
              "[BETA] This metric records the data about the stage and enablement of a k8s "
              "feature.");
  const std::vector<schema::FeatureGate>& gates = server.catalogue.feature_gates();
  for (std::size_t i = 0; i < gates.size(); ++i) {
    page.sample({{"name", std::string(gates[i].name)},
                 {"stage", std::string(schema::metric_label(gates[i].stage))}},
                server.gates.enabled(i) ? 1 : 0);
  }
}

void write_process(PrometheusText& page, const Cluster& cluster) {
  page.family("process_start_time_seconds", "gauge",
              "When the cluster began, in seconds since 1970 of its own time.");
  page.sample({}, static_cast<double>(cluster.server->options.now.unix_nanoseconds) / 1e9);
}

std::string metrics_page(Cluster& cluster) {
  const Numbers numbers{cluster.registry.resources(), cluster.server->metric_resource_ids};
  const std::vector<Count> counts = cluster.metrics->counts();
  PrometheusText page;
  write_watches(page, cluster, numbers);
  write_durations(page, numbers, counts);
  write_totals(page, numbers, counts);
  write_sizes(page, numbers, counts);
  write_limits(page, cluster.limits, cluster.now);
  write_objects(page, cluster);
  write_build(page);
  write_gates(page, *cluster.server);
  write_process(page, cluster);
  return page.take();
}

std::string slis_page(const StorageHealth& storage) {
  PrometheusText page;
  page.family("kubernetes_healthcheck", "gauge",
              "[STABLE] 1 for a health check that passes, by its name and endpoint.");
  for (const HealthCheck& check : health_checks(storage)) {
    page.sample({{"name", std::string(check.name)}, {"type", std::string(check.endpoint)}},
                check.passes ? 1 : 0);
  }
  return page.take();
}

}  // namespace

Response answer_metrics(RequestContext& call, std::string_view path, Cluster* cluster) {
  if (cluster == nullptr) {
    call.needs_writer = true;
    return {};
  }
  Response response;
  response.headers = {{"Cache-Control", "no-cache, private"}};
  const bool resets = path == "/metrics" && call.request.method == "DELETE";
  response.headers.emplace_back("Content-Type", resets ? kTextPlain : kMetricsType);
  if (resets) {
    cluster->metrics->reset();
    cluster->limits.forget_counts();
    response.body.append_static("metrics reset\n");
    return response;
  }
  response.body.append(path == "/metrics" ? metrics_page(*cluster) : slis_page(call.storage));
  compress_if_accepted(call.request, call.server, response);
  return response;
}

}  // namespace tabernetes::server
