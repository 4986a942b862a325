#include "server/aggregation/openapi_downloads.h"

#include <algorithm>
#include <set>
#include <utility>

#include "codec/json_reader.h"
#include "json/access.h"
#include "server/openapi/swagger_conversion.h"
#include "server/openapi/swagger_merge.h"

namespace tabernetes::server {
namespace {

using json::Value;

constexpr Duration kFirstWait = Duration::from_seconds(1);
constexpr Duration kUsualWait = Duration::from_seconds(60);  // after failures twice as long each
constexpr Duration kLongestWait = Duration::from_seconds(3600);
constexpr Duration kDownloadTimeout = Duration::from_seconds(60);
constexpr int kMostShifts = 6;  // a minute becomes an hour

const auth::User& downloader() {
  static const auth::User user{.name = "system:aggregator", .uid = {}, .groups = {}, .extra = {}};
  return user;
}

std::string key_of(const AggregatedApi& api) { return "apis/" + api.group + "/" + api.version; }

}  // namespace

void OpenApiDownloads::observe(const std::vector<AggregatedApi>& apis) {
  std::set<std::string_view> names;
  for (const AggregatedApi& api : apis) names.insert(api.name);
  std::erase_if(known_, [&](const auto& each) { return names.count(each.first) == 0; });
  for (const AggregatedApi& api : apis) {
    const auto [found, fresh] = known_.try_emplace(api.name);
    Known& known = found->second;
    if (!fresh && known.api == api) continue;
    known.api = api;
    if (fresh) {
      plan(api.name, known, Version::kV2, kFirstWait);
      plan(api.name, known, Version::kV3, kFirstWait);
      continue;
    }
    known.v2.failures = 0;
    begin(api.name, known, Version::kV2);
    if (known.v3.failures == 0) continue;
    known.v3.failures = 0;
    plan(api.name, known, Version::kV3, kFirstWait);
  }
}

std::shared_ptr<const ForeignSpec> OpenApiDownloads::spec_of(std::string_view name) const {
  const auto found = known_.find(name);
  return found == known_.end() ? nullptr : found->second.spec;
}

OpenApiDownloads::Known* OpenApiDownloads::find(const std::string& name, Version version,
                                                std::uint64_t number) {
  const auto found = known_.find(name);
  if (found == known_.end() || found->second.of(version).number != number) return nullptr;
  return &found->second;
}

void OpenApiDownloads::plan(const std::string& name, Known& known, Version version, Duration wait) {
  const std::uint64_t number = known.of(version).number = ++last_;
  deadlines_.add(now_ + wait, [this, name, version, number] {
    if (Known* due = find(name, version, number)) begin(name, *due, version);
  });
}

void OpenApiDownloads::begin(const std::string& name, Known& known, Version version) {
  if (!known.api.available) return end(name, known, version, false);
  const bool v2 = version == Version::kV2;
  Headers headers;
  if (v2) headers.emplace_back("accept", "application/json");
  if (v2 && !known.tag.empty()) headers.emplace_back("if-none-match", known.tag);
  ProxyCall call = call_of(known.api, "GET", v2 ? "/openapi/v2" : "/openapi/v3", downloader(),
                           headers, registry_);
  call.patience = kDownloadTimeout;
  call.whole = true;
  const std::uint64_t number = known.of(version).number = ++last_;
  proxies_.send(std::move(call), [this, name, version, number](const ProxyAnswer& answer,
                                                               const std::unique_ptr<Stream>&) {
    if (Known* asked = find(name, version, number)) answered(name, *asked, version, answer);
  });
}

void OpenApiDownloads::answered(const std::string& name, Known& known, Version version,
                                const ProxyAnswer& answer) {
  if (version == Version::kV3 && !answer.fault && answer.status == 404) {
    // From now on v2 is all that is asked for.
    known.lacks_v3 = true;
    known.v3 = {};
    known.tag.clear();
    return begin(name, known, Version::kV2);
  }
  const auto before = known.spec;
  end(name, known, version,
      version == Version::kV2 ? learn_v2(known, answer) : learn_v3(known, answer));
  if (known.spec != before) on_news_();
}

void OpenApiDownloads::end(const std::string& name, Known& known, Version version, bool good) {
  Download& download = known.of(version);
  Duration wait = kUsualWait;
  if (good) {
    download.failures = 0;
  } else {
    const int shifts = std::min(download.failures++, kMostShifts);
    wait = std::min(Duration{kUsualWait.nanoseconds << shifts}, kLongestWait);
  }
  plan(name, known, version, wait);
}

// Takes in a document of v2, from which one of v3 is made if the server has none. Returns whether
// it was there.
bool OpenApiDownloads::learn_v2(Known& known, const ProxyAnswer& answer) {
  if (answer.fault) return false;
  if (answer.status == 304) return !known.tag.empty();
  if (answer.status != 200) return false;
  ForeignSpec spec = known.spec ? *known.spec : ForeignSpec();
  spec.swagger = swagger_under(answer.body, "/" + key_of(known.api) + "/");
  if (spec.swagger.empty()) return false;
  known.tag = header_of(answer, "etag");
  if (known.lacks_v3) spec.v3_documents = {{key_of(known.api), swagger_as_v3(answer.body)}};
  say(known, std::move(spec));
  return true;
}

// Takes in the root document of v3: where those of the API and its group are.
bool OpenApiDownloads::learn_v3(Known& known, const ProxyAnswer& answer) {
  if (answer.fault || answer.status != 200) return false;
  json::Arena arena;
  const codec::JsonRead read = codec::read_json(answer.body, arena);
  if (!read.ok() || !read.value.is_object()) return false;
  ForeignSpec spec = known.spec ? *known.spec : ForeignSpec();
  spec.v3_urls.clear();
  for (const json::Member& path : members_at(read.value, {"paths"})) {
    if (path.key != "apis/" + known.api.group && path.key != key_of(known.api)) continue;
    spec.v3_urls.emplace(path.key, path.value.string_at("serverRelativeURL"));
  }
  say(known, std::move(spec));
  return true;
}

void OpenApiDownloads::say(Known& known, ForeignSpec spec) {
  if (known.spec != nullptr && *known.spec == spec) return;
  known.spec = std::make_shared<const ForeignSpec>(std::move(spec));
}

}  // namespace tabernetes::server
