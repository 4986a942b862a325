// The store by itself, beside std::map in the same run. Prints the rows of store.mjs as JSON. Keys
// and sizes are those of pods; 100,000 records, seeded.
#include <malloc.h>

#include <cstdio>
#include <ctime>
#include <map>
#include <string>
#include <vector>

#include "base/numbers/entropy.h"
#include "store/store.h"

namespace {

using namespace tabernetes;
using namespace tabernetes::store;

constexpr int kRecords = 100'000;
constexpr int kUpdates = 200'000;
constexpr std::size_t kBytes = 2048;

// Returns processor time, which other work on the machine disturbs least.
double seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Row {
  const char* measure;
  double value;
  const char* unit;
  double budget = 0;  // 0 if none
};

std::vector<std::string> make_keys(Entropy& entropy) {
  std::vector<std::string> keys;
  for (int i = 0; i < kRecords; ++i) {
    keys.push_back("/pods/namespace-" + std::to_string(i % 100) + "/web-7d9c5b8f6-" +
                   make_name_suffix(entropy));
  }
  return keys;
}

Write write_of(const std::string& key, Revision expected, std::size_t bytes) {
  return {key, expected, [bytes](Revision) {
            auto record = std::make_shared<Record>();
            record->bytes.assign(bytes, 'x');
            return record;
          }};
}

template <typename Work>
double per_item(int items, const Work& work) {
  const double start = seconds();
  work();
  return (seconds() - start) / items * 1e9;
}

void update_all(Store& store, const std::vector<std::string>& keys, Entropy& entropy,
                int snapshot_each) {
  Snapshot held;
  for (int i = 0; i < kUpdates; ++i) {
    const std::string& key = keys[entropy.below(keys.size())];
    (void)store.put(write_of(key, store.get(key)->revision, 64));
    if (snapshot_each != 0 && i % snapshot_each == 0) held = store.snapshot();
  }
}

// Returns the memory of a record beyond its bytes, without history.
double overhead(const std::vector<std::string>& keys) {
  const std::size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
  Store store;
  for (const std::string& key : keys) (void)store.put(write_of(key, 0, kBytes));
  (void)store.compact(store.revision());
  const std::size_t after = mallinfo2().uordblks + mallinfo2().hblkhd;
  return static_cast<double>(after - before) / static_cast<double>(store.snapshot().tree.size()) -
         static_cast<double>(kBytes);
}

std::vector<Row> measure() {
  Entropy entropy({}, 1);
  const std::vector<std::string> keys = make_keys(entropy);
  std::vector<Row> rows;
  rows.push_back({"memory of a record beyond its bytes", overhead(keys), "B", 300});

  Store store;
  rows.push_back({"create",
                  per_item(kRecords,
                           [&] {
                             for (const std::string& key : keys)
                               (void)store.put(write_of(key, 0, 64));
                           }),
                  "ns"});
  rows.push_back(
      {"update", per_item(kUpdates, [&] { update_all(store, keys, entropy, 0); }), "ns"});
  rows.push_back({"update, a snapshot every 10",
                  per_item(kUpdates, [&] { update_all(store, keys, entropy, 10); }), "ns"});
  std::size_t sum = 0;
  rows.push_back({"get",
                  per_item(kRecords,
                           [&] {
                             for (const std::string& key : keys) sum += store.get(key)->revision;
                           }),
                  "ns"});
  rows.push_back({"scan, for each record",
                  per_item(kRecords,
                           [&] {
                             store.snapshot().tree.scan({}, {},
                                                        [&](std::string_view, const RecordPtr& r) {
                                                          sum += r->revision;
                                                          return true;
                                                        });
                           }),
                  "ns"});
  const Revision middle = (store.compacted_revision() + store.revision()) / 2;
  rows.push_back({"state of 50,000 writes ago",
                  per_item(1000, [&] { sum += store.snapshot_at(middle)->tree.size(); }), "µs"});

  std::map<std::string, RecordPtr> peer;
  rows.push_back({"std::map: create",
                  per_item(kRecords,
                           [&] {
                             for (const std::string& key : keys) {
                               auto record = std::make_shared<Record>();
                               record->key = key;
                               record->bytes.assign(64, 'x');
                               peer.emplace(key, std::move(record));
                             }
                           }),
                  "ns"});
  rows.push_back({"std::map: get",
                  per_item(kRecords,
                           [&] {
                             for (const std::string& key : keys)
                               sum += peer.find(key)->second->bytes.size();
                           }),
                  "ns"});
  rows.push_back({"std::map: scan, for each record",
                  per_item(kRecords,
                           [&] {
                             for (const auto& [key, record] : peer) sum += record->bytes.size();
                           }),
                  "ns"});
  if (sum == 0) std::puts("");  // so that nothing is optimised away
  return rows;
}

}  // namespace

int main() {
  const std::vector<Row> rows = measure();
  std::printf("[");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    std::printf("%s{\"measure\":\"%s\",\"value\":%.1f,\"unit\":\"%s\"", i == 0 ? "" : ",",
                row.measure, row.value, row.unit);
    if (row.budget != 0) std::printf(",\"budget\":%.0f", row.budget);
    std::printf("}");
  }
  std::printf("]\n");
  return 0;
}
