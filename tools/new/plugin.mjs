// An admission plugin: a function that judges the objects that are written, its phase in its row of the table, and a test that
// writes through it.
import { Refusal } from './draft.mjs';
import { behindLast, raw, snakeCase, withSource } from './text.mjs';

const kTable = 'core/admission/plugin_table.cc';
const kPhases = 'core/admission/plugins.h';
const kColumns = 100;

const sourceText = ({ name, check }) => `// ${name}: judges the objects that are created and updated.

#include "admission/plugins.h"
#include "admission/request.h"
#include "registry/kind/write_context.h"

namespace tabernetes::admission {

Result<void> ${check}(const AdmissionRequest& request, Memory&) {
  if (!request.context.subresource.empty()) return {};
  // Return refusal(request, "…") here for an object that it refuses.
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

/** Returns the row of a plugin, as clang-format has it. */
function rowOf(members) {
  const line = `    {${members.join(', ')}},`;
  return line.length <= kColumns ? line : `    {${members.join(',\n     ')}},`;
}

/** @returns {string[]} what is left to do */
export function newPlugin(draft, name) {
  if (!/^[A-Z][A-Za-z]+$/.test(name)) throw new Refusal(`${name} is no name of an admission plugin, such as AlwaysPullImages`);
  const [row, on] = new RegExp(`^ {4}\\{\\.name = "${name}"(?:, (\\.on = true))?\\},$`, 'm').exec(draft.read(kTable)) ?? [];
  if (row === undefined) {
    const known = draft.read(kTable).includes(`{.name = "${name}",`);
    throw new Refusal(known ? `${name} is there: ${kTable}` : `kube-apiserver 1.36 has no admission plugin ${name} (${kTable})`);
  }

  const file = snakeCase(name);
  const facts = { name, check: `check_${file}` };
  draft.create(`core/admission/${file}.cc`, sourceText(facts));
  draft.create(`tests/core/admission/${file}_test.cc`, testText(facts));
  draft.change(kPhases, (text) => behindLast(text, /^Result<void> \w+\(.*\);$/, `Result<void> ${facts.check}(const AdmissionRequest& request, Memory& memory);`));
  const members = [`.name = "${name}"`, ...(on ? [on] : []), '.operations = {kCreate, kUpdate}', `.validate = &${facts.check}`];
  draft.change(kTable, (text) => text.replace(row, rowOf(members)));
  draft.change('core/CMakeLists.txt', (text) => withSource(text, 'tab_module', 'admission', `${file}.cc`));
  draft.change('tests/CMakeLists.txt', (text) => withSource(text, 'tab_test', 'admission', `${file}_test.cc`));
  return [
    `core/admission/${file}.cc is asked about every object that is created or updated, and refuses nothing yet`,
    `its row in ${kTable} says which requests it is asked about (operations, targets), and whether it changes objects (mutate) or judges them (validate)`,
    'a line in docs/compatibility.md, and a conformance case: npm run new -- case admission/NAME',
    'node tools/build.mjs native; cmake --build --preset dev --target test_admission && build/dev/bin/test_admission',
  ];
}
