// An admission plugin: a function that judges the objects that are written, its row in the chain, and a test that writes
// through it.
import { Refusal } from './draft.mjs';
import { behindLast, raw, snakeCase, withSource } from './text.mjs';

const kNames = 'core/registry/kind/admission.h';
const kChain = 'core/admission/chain.cc';
const kPhases = 'core/admission/plugins.h';

const sourceText = ({ name, check }) => `// ${name}: judges the objects that are created and updated.

#include "admission/plugins.h"

namespace tabernetes::admission {

Result<void> ${check}(const AdmissionRequest& request) {
  if (request.subresource != registry::Subresource::kNone) return {};
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

/** Returns kube-apiserver's plugins, in the order in which they are asked. */
const namesIn = (header) => [.../enum class Plugin[^{]*\{([^}]*)\}/.exec(header)[1].matchAll(/\bk(\w+)/g)].map(([, name]) => name);

/** Returns the files with C++ of the folders and of all below. */
const sources = (draft, folder) =>
  draft.list(folder).flatMap((name) => (/\.(cc|h)$/.test(name) ? [`${folder}/${name}`] : name.includes('.') ? [] : sources(draft, `${folder}/${name}`)));

/** Returns the chain with one more row, at its place in the order of `names`. */
function withRow(text, name, check, names) {
  const lines = text.split('\n');
  const rows = lines.flatMap((line, i) => (/^ {4}\{Plugin::k(\w+),/.exec(line) ? [{ i, order: names.indexOf(/Plugin::k(\w+)/.exec(line)[1]) }] : []));
  const next = rows.find(({ order }) => order > names.indexOf(name))?.i ?? lines.findIndex((line, i) => i > rows.at(-1).i && line === '};');
  return lines.toSpliced(next, 0, `    {Plugin::k${name}, nullptr, &${check}},`).join('\n');
}

/** @returns {string[]} what is left to do */
export function newPlugin(draft, name) {
  if (!/^[A-Z][A-Za-z]+$/.test(name)) throw new Refusal(`${name} is no name of an admission plugin, such as AlwaysPullImages`);
  const names = namesIn(draft.read(kNames));
  if (!names.includes(name)) throw new Refusal(`kube-apiserver 1.36 has no admission plugin ${name} (${kNames})`);
  const uses = ['core/admission', 'core/kinds', 'core/registry/life'].flatMap((folder) => sources(draft, folder)).filter((path) => new RegExp(`Plugin::k${name}\\b`).test(draft.read(path)));
  if (uses.length) throw new Refusal(`${name} is there: ${uses[0]}`);

  const file = snakeCase(name);
  const facts = { name, check: `check_${file}` };
  draft.create(`core/admission/${file}.cc`, sourceText(facts));
  draft.create(`tests/core/admission/${file}_test.cc`, testText(facts));
  draft.change(kPhases, (text) => behindLast(text, /^Result<void> \w+\(.*\);$/, `Result<void> ${facts.check}(const AdmissionRequest& request);`));
  draft.change(kChain, (text) => withRow(text, name, facts.check, names));
  draft.change('core/CMakeLists.txt', (text) => withSource(text, 'tab_module', 'admission', `${file}.cc`));
  draft.change('tests/CMakeLists.txt', (text) => withSource(text, 'tab_test', 'admission', `${file}_test.cc`));
  return [
    `core/admission/${file}.cc is asked about every object that is created or updated, and refuses nothing yet`,
    `its row in ${kChain} says whether it changes objects (mutate) or judges them (validate), and which objects configure it`,
    'a line in docs/compatibility.md, and a conformance case: npm run new -- case admission/NAME',
    'node tools/build.mjs native; cmake --build --preset dev --target test_admission && build/dev/bin/test_admission',
  ];
}
