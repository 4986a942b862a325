// Writes a control loop (a QueuedLoop that reconciles each changed object of one kind), its row in the loop table, and a
// test that runs it.
import { Catalogue } from './catalogue.mjs';
import { Refusal } from './draft.mjs';
import { afterLast, pascalCase, raw, snakeCase, withInclude, withSource } from './text.mjs';

const kTable = 'core/controllers/run/loop_table.cc';
const kEnding = '-controller';

/** Returns the names, former names and brief names of the rows. */
const namesIn = (table) => [...table.matchAll(/\{"([^"]*)",\s*"([^"]*)",\s*"([^"]*)",\s*&make_loop</g)].flatMap(([, ...names]) => names);

/** Returns the resource whose kind is the longest prefix of the loop's name; pods if there is none. */
function watched(catalogue, stem) {
  const begins = catalogue.resources.filter(({ kind, verbs }) => verbs.includes('watch') && stem.replaceAll('-', '').startsWith(kind.toLowerCase()));
  return begins.sort((a, b) => b.kind.length - a.kind.length)[0] ?? catalogue.find('', 'Pod');
}

const headerText = ({ type, kind }) => `// Reconciles each ${kind} that changes.
#pragma once

#include "controllers/loop/queued_loop.h"

namespace tabernetes::controllers {

class ${type} final : public QueuedLoop<${type}> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;

 private:
  // Keys: the store's.
  void reconcile(const ReconcileContext& cluster, const std::string& key) override;
};

}  // namespace tabernetes::controllers
`;

const sourceText = ({ type, file, room, group, plural }) => `#include "controllers/${room}/${file}.h"

namespace tabernetes::controllers {

void ${type}::on_change(const registry::Registry&, const WatchEvent& change) {
  const schema::Resource& resource = *change.type.resource;
  if (resource.group != "${group}" || resource.plural != "${plural}") return;
  queue_.add(change.type.key(change.ns, change.name), change.due());
}

void ${type}::reconcile(const ReconcileContext& cluster, const std::string& key) {
  const registry::ResourceType& type = *cluster.registry.resources().find_key(key);
  const auto [ns, name] = registry::split_key(type, key);
  const json::Value object = cluster.read({&type, ns, name});
  if (object.is_null()) return;  // deleted
  // Write here what the object needs, by cluster.registry or apply() (controllers/shared/applied.h).
}

}  // namespace tabernetes::controllers
`;

function testText({ name, type, group, version, plural, namespaced }) {
  const ns = namespaced ? 'default' : '';
  return `#include "../loop_fixture.h"

namespace tabernetes::controllers {
namespace {

TEST_CASE("${name}: every change is reconciled once", "[controllers]") {
  constexpr LoopFixture::Resource k${type}Watches{"${group}", "${version}", "${plural}"};
  LoopFixture cluster("${name}");
  cluster.put(k${type}Watches, "${ns}", ${raw('{"metadata":{"name":"a"}}')});
  const store::Revision before = cluster.store.revision();
  CHECK(cluster.run() == 1);
  CHECK(cluster.run() == 0);
  CHECK(cluster.store.revision() == before);  // it writes nothing yet

  cluster.remove(k${type}Watches, "${ns}", "a");
  CHECK(cluster.run() == 1);
  CHECK(cluster.run() == 0);
}

}  // namespace
}  // namespace tabernetes::controllers
`;
}

/** Returns the steps that are left to the developer. */
export function newController(draft, path) {
  const [room, name = ''] = path.split('/');
  if (!name || !draft.folders('core/controllers').includes(room)) {
    throw new Refusal(`${path} is not ROOM/NAME-controller with a room of core/controllers`);
  }
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*-controller$/.test(name)) {
    throw new Refusal(`${name} is not a name in kube-controller-manager's form: lower case words with dashes between, the last one "controller"`);
  }
  const stem = name.slice(0, -kEnding.length);
  const taken = namesIn(draft.read(kTable)).filter((each) => each === name || each === stem);
  if (taken.length) throw new Refusal(`the loop table has ${taken[0]}`);
  const file = snakeCase(stem);
  const type = pascalCase(stem);
  const { group, version, plural, kind, namespaced } = watched(new Catalogue(draft.path('core/schema/catalogue')), stem);
  const facts = { name, room, file, type, group, version, plural, kind, namespaced };

  for (const folder of draft.folders('core/controllers').map((each) => `core/controllers/${each}`)) {
    const classes = draft.list(folder).filter((each) => each.endsWith('.h') && draft.read(`${folder}/${each}`).match(new RegExp(`\\b(class|struct) ${type}\\b`)));
    if (classes.length) throw new Refusal(`${folder}/${classes[0]} has a class ${type}`);
  }
  draft.create(`core/controllers/${room}/${file}.h`, headerText(facts));
  draft.create(`core/controllers/${room}/${file}.cc`, sourceText(facts));
  draft.create(`tests/core/controllers/${room}/${file}_test.cc`, testText(facts));
  draft.change(kTable, (text) => afterLast(withInclude(text, `controllers/${room}/${file}.h`), /&make_loop<\w+>\},$/, `    {"${name}", "${stem}", "", &make_loop<${type}>},`));
  draft.change('core/controllers/module.cmake', (text) => withSource(text, 'tab_module', 'controllers', `${room}/${file}.cc`));
  draft.change('tests/CMakeLists.txt', (text) => withSource(text, 'tab_test', 'controllers', `${room}/${file}_test.cc`));
  return [
    `core/controllers/${room}/${file}.cc reconciles each changed ${kind} and writes nothing yet`,
    `check the former name "${stem}" against kube-controller-manager, and correct it in ${kTable}`,
    'a line in docs/compatibility.md, and a conformance case: npm run new -- case control-loops/NAME',
    'node tools/build.mjs native; cmake --build --preset dev --target test_controllers && build/dev/bin/test_controllers',
  ];
}
