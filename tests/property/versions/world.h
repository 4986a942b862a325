// One cluster under test, its model, and everything that its clients have open.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "client.h"
#include "lists.h"
#include "model.h"
#include "random.h"
#include "watches.h"

namespace tabernetes::property {

// A snapshot of a cluster, and the model of its content.
struct Saved {
  std::string document;
  Model model;
  Time time;
};

struct World {
  World(std::unique_ptr<ApiServer> api, Model its_model, std::string its_name, Script* its_script)
      : server(std::move(api)),
        model(std::move(its_model)),
        script(its_script),
        name(std::move(its_name)),
        client(*server, script, name),
        probe(*server, nullptr, name) {}

  std::unique_ptr<ApiServer> server;
  Model model;
  Script* script;
  std::string name;
  Client client;
  Client probe;  // for the test's own requests; not in the script
  Time now{};
  Time begun{};

  std::unique_ptr<World> child;  // forked in this step
  int children = 0;
  std::shared_ptr<const Saved> saved;

  std::vector<Token> tokens;         // from this cluster, newest last
  std::vector<Pager> pagers;         // lists being read page by page
  std::vector<WaitingList> waiting;  // lists of future versions
  std::vector<std::unique_ptr<Watch>> watches;
  std::vector<std::unique_ptr<Watch>> recorders;  // on all changes of each kind
};

// An action that a step may take; each picks its objects at random.
using Doing = void (*)(World&, Random&);

// writes.cc
void create_object(World& world, Random& random);
void replace_object(World& world, Random& random);
void patch_object(World& world, Random& random);
void delete_object(World& world, Random& random);
// collections.cc
void delete_collection(World& world, Random& random);
// lists.cc
void list_collection(World& world, Random& random);
void get_object(World& world, Random& random);
// pagers.cc
void open_pager(World& world, Random& random);
void turn_page(World& world, Random& random);
// watches.cc
void open_watch(World& world, Random& random);
void pull_watch(World& world, Random& random);
void close_watch(World& world, Random& random);
// control.cc
void let_time_pass(World& world, Random& random);
void compact(World& world, Random& random);
void reset(World& world, Random& random);
// forks.cc
void fork_cluster(World& world, Random& random);
void save_cluster(World& world, Random& random);
void restore_cluster(World& world, Random& random);

// Must be called before and after the cluster changes to another state: its watches end.
void before_restart(World& world);
void after_restart(World& world);
// Opens watches on all changes of every kind.
void record_everything(World& world);
// Opens a watch like that one, from the last version its client has seen.
void resume(World& world, const Watch& watch);

// Fails unless the cluster's version is the model's.
void expect_version(World& world);
// Return a kind, and a collection of it.
const Kind& random_kind(Random& random);
Scope random_scope(Random& random, const Kind& kind);
// Returns a version that a client may know: mostly a past one, sometimes a compacted one.
Version random_past_version(World& world, Random& random);

}  // namespace tabernetes::property
