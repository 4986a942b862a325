// Writes an admission plugin: a function that checks written objects, its phase in the plugin table, and a test that sends
// objects through it.
import { Refusal } from './draft.mjs';
import { afterLast, raw, snakeCase, withSource } from './text.mjs';

const kTable = 'core/admission/plugin_table.cc';
const kPhases = 'core/admission/plugins.h';
const kColumns = 100;

const sourceText = ({ name, check }) => `// ${name}: checks the objects that are created and updated.

#include "admission/plugins.h"
#include "admission/request.h"
#include "registry/kind/write_context.h"

namespace tabernetes::admission {

Result<void> ${check}(const AdmissionRequest& request, PluginState&) {
  if (!request.context.subresource.empty()) return {};
  // Return refusal(request, "…") here for an object that the plugin rejects.
  return {};
}

}  // namespace tabernetes::admission
`;

const testText = ({ name }) => `#include "plugin_fixture.h"

namespace tabernetes::admission {
namespace {

TEST_CASE("${name}: which objects it accepts", "[admission]") {
  PluginFixture cluster("${name}");
  constexpr PluginFixture::Resource kResource{"", "v1", "configmaps"};
  CHECK(cluster.create(kResource, "default", ${raw('{"metadata":{"name":"a"}}')}) == "");
  CHECK(cluster.update(kResource, "default", ${raw('{"metadata":{"name":"a"},"data":{"b":"c"}}')}) == "");
}

}  // namespace
}  // namespace tabernetes::admission
`;

/** Returns the row of a plugin, formatted like clang-format. */
function rowOf(members) {
  const line = `    {${members.join(', ')}},`;
  return line.length <= kColumns ? line : `    {${members.join(',\n     ')}},`;
}

/** Returns the steps that are left to the developer. */
export function newPlugin(draft, name) {
  if (!/^[A-Z][A-Za-z]+$/.test(name)) throw new Refusal(`${name} is not the name of an admission plugin, such as AlwaysPullImages`);
  const [row, on] = new RegExp(`^ {4}\\{\\.name = "${name}"(?:,\\s+(\\.on = true))?\\},$`, 'm').exec(draft.read(kTable)) ?? [];
  if (row === undefined) {
    const known = draft.read(kTable).includes(`{.name = "${name}",`);
    throw new Refusal(known ? `${name} exists: ${kTable}` : `kube-apiserver 1.36 has no admission plugin ${name} (${kTable})`);
  }

  const file = snakeCase(name);
  const facts = { name, check: `check_${file}` };
  draft.create(`core/admission/${file}.cc`, sourceText(facts));
  draft.create(`tests/core/admission/${file}_test.cc`, testText(facts));
  draft.change(kPhases, (text) => afterLast(text, /^Result<void> \w+\(.*\);$/, `Result<void> ${facts.check}(const AdmissionRequest& request, PluginState& state);`));
  const members = [`.name = "${name}"`, ...(on ? [on] : []), '.operations = {kCreate, kUpdate}', `.validate = &${facts.check}`];
  draft.change(kTable, (text) => text.replace(row, rowOf(members)));
  draft.change('core/admission/module.cmake', (text) => withSource(text, 'tab_module', 'admission', `${file}.cc`));
  draft.change('tests/CMakeLists.txt', (text) => withSource(text, 'tab_test', 'admission', `${file}_test.cc`));
  return [
    `core/admission/${file}.cc is called for every created or updated object, and rejects none yet`,
    `its row in ${kTable} says for which requests it is called (operations, targets), and whether it changes objects (mutate) or checks them (validate)`,
    'a line in docs/compatibility.md, and a conformance case: npm run new -- case admission/NAME',
    'node tools/build.mjs native; cmake --build --preset dev --target test_admission && build/dev/bin/test_admission',
  ];
}
