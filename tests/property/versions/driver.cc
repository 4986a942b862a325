#include "driver.h"

#include <algorithm>
#include <numeric>

#include "world.h"

namespace tabernetes::property {
namespace {

struct Choice {
  std::uint64_t weight;
  Doing doing;
};

constexpr Choice kChoices[] = {
    {14, &create_object},    {10, &replace_object},  {14, &patch_object}, {8, &delete_object},
    {3, &delete_collection}, {14, &list_collection}, {3, &get_object},    {3, &open_pager},
    {6, &turn_page},         {10, &open_watch},      {12, &pull_watch},   {4, &close_watch},
    {6, &let_time_pass},     {3, &compact},          {1, &reset},
};

Doing random_doing(Random& random) {
  std::uint64_t sum = 0;
  for (const Choice& choice : kChoices) sum += choice.weight;
  std::uint64_t at = random.below(sum);
  for (const Choice& choice : kChoices) {
    if (at < choice.weight) return choice.doing;
    at -= choice.weight;
  }
  return kChoices[0].doing;
}

// Creates a cluster with the namespaces of a run, and a few objects in its initial state.
std::unique_ptr<World> begin(std::uint64_t seed, Script* script) {
  static constexpr std::int64_t kHistorySeconds[] = {300, 20, 5'000};
  Options options{.now = Time::from_unix_milliseconds(1'750'000'000'000), .seed = seed};
  options.watch_history = Duration::from_seconds(kHistorySeconds[seed % 3]);
  auto world = std::make_unique<World>(std::make_unique<ApiServer>(options),
                                       Model(options.watch_history), "main", script);
  world->now = world->begun = options.now;
  world->model.advance(options.now);
  if (script != nullptr) {
    script->push_back("main begins with seed " + std::to_string(seed) + ", history of " +
                      std::to_string(kHistorySeconds[seed % 3]) + " s");
  }
  Version version = 0;
  for (const std::string& ns : namespaces()) {
    const Answer answer = world->client.call(
        "POST", "/api/v1/namespaces",
        R"({"kind":"Namespace","apiVersion":"v1","metadata":{"name":")" + ns + "\"}}");
    const Document created(answer.body);
    version = version_of(created.root.find("metadata")->string_at("resourceVersion"));
  }
  world->model.skip(version);
  record_everything(*world);
  for (std::uint64_t i = 0; i < 20; ++i) {
    Random random(seed, 1'000'000 + i);
    create_object(*world, random);
  }
  world->server->mark_initial_state();
  world->model.mark_initial();
  return world;
}

void check_after_step(World& world) {
  check_waiting_lists(world);
  check_watches(world);
}

// Checks that states rebuilt from a watch's events equal the lists of old versions. Invariants 11
// and 22.
void check_recorded(World& world, const Watch& recorder, Random& random) {
  const Kind& kind = *recorder.request().scope.kind;
  const Version oldest = std::max(recorder.began_at(), world.model.floor());
  const Version version = oldest + random.below(world.model.now() - oldest + 1);
  Model::State state;
  for (const WatchEvent& event : recorder.received()) {
    if (event.object->version > version) break;
    if (event.type == "DELETED") {
      state.erase(event.object->key);
    } else {
      state[event.object->key] = event.object;
    }
  }
  ListRequest request;
  request.scope.kind = &kind;
  request.version = std::to_string(version);
  request.match = "Exact";
  ExpectedList expected;
  expected.version = version;
  for (const auto& [key, object] : state) expected.items.push_back(object);
  check_list(world, request, world.client.call("GET", request.target()), expected);
}

void finish(World& world, std::uint64_t seed) {
  Random random(seed, 2'000'000);
  for (const auto& watch : world.watches) watch->pull(world, true);
  for (int i = 0; i < 5; ++i) {
    for (const auto& recorder : world.recorders) check_recorded(world, *recorder, random);
  }
}

using Worlds = std::vector<std::unique_ptr<World>>;

// Adds a forked cluster; drops the oldest when there are more than three, even the parent of the
// others.
void keep_child(Worlds& worlds, std::unique_ptr<World> child) {
  if (child == nullptr) return;
  check_after_step(*child);
  worlds.push_back(std::move(child));
  if (worlds.size() > 3) worlds.erase(worlds.begin());
}

void take_steps(const Plan& plan, Script* script) {
  Worlds worlds;
  worlds.push_back(begin(plan.seed, script));
  check_after_step(*worlds.front());
  for (const std::uint64_t step : plan.steps) {
    Random random(plan.seed, step);
    World& world = *worlds[random.below(worlds.size())];
    const Doing doing = random_doing(random);
    world.client.note("-- step " + std::to_string(step));
    doing(world, random);
    check_after_step(world);
    keep_child(worlds, std::move(world.child));
  }
  for (const auto& world : worlds) finish(*world, plan.seed);
}

}  // namespace

Plan Plan::of(std::uint64_t seed, std::uint64_t steps) {
  Plan plan{seed, std::vector<std::uint64_t>(steps)};
  std::iota(plan.steps.begin(), plan.steps.end(), 1);
  return plan;
}

std::optional<std::string> run(const Plan& plan, Script* script) {
  try {
    take_steps(plan, script);
    return std::nullopt;
  } catch (const Mismatch& mismatch) {
    return mismatch.what;
  }
}

// Leaves out spans of steps, half of them first, then shorter and shorter ones.
Plan shrink(Plan plan) {
  for (std::size_t span = plan.steps.size() / 2; span > 0; span /= 2) {
    for (std::size_t at = 0; at + span <= plan.steps.size();) {
      Plan smaller = plan;
      const auto first = smaller.steps.begin() + static_cast<std::ptrdiff_t>(at);
      smaller.steps.erase(first, first + static_cast<std::ptrdiff_t>(span));
      if (run(smaller, nullptr)) {
        plan = std::move(smaller);
      } else {
        at += span;
      }
    }
  }
  return plan;
}

std::string report(std::uint64_t seed, std::uint64_t steps) {
  const Plan plan = Plan::of(seed, steps);
  const auto wrong = run(plan, nullptr);
  if (!wrong) return {};
  const Plan small = shrink(plan);
  Script script;
  const auto wrong_too = run(small, &script);
  std::string text = "seed " + std::to_string(seed) + ", " + std::to_string(steps) +
                     " steps: " + *wrong + "\nsmallest failing run, " +
                     std::to_string(small.steps.size()) + " steps";
  for (const std::string& line : script) text += "\n  " + line;
  return text + "\n" + wrong_too.value_or("(passes when repeated)");
}

}  // namespace tabernetes::property
