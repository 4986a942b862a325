// `npm run new` in a copy of the tree: what it writes is formatted, keeps the layers, compiles, and is found by its suite;
// what it refuses changes nothing.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { clangTool } from '../lib/clang.mjs';
import { run, top } from '../lib/run.mjs';
import { withRoom } from '../new/text.mjs';

const copy = mkdtempSync(join(tmpdir(), 'tabernetes-new-'));
after(() => rmSync(copy, { recursive: true }));

const commands = join(top, 'build', 'dev', 'compile_commands.json');
const kCopied = ['core', 'tests/CMakeLists.txt', 'tests/core', 'tests/conformance', 'tools', '.clang-format'];

// A kind of the next Kubernetes version.
const kShelfResource = '  resource shelves Shelf package=storage.v1 namespaced\n';
const kShelfColumns = `
kind Shelf storage.k8s.io
  Name | string | name | 0 | @name
  Driver | string | - | 0 | Who moves it.
  Shelf Count | integer | - | 0 | How many.
  Free Space | string | - | 0 | What is left.
  Age | string | - | 0 | @age
`;
const kShelfTypes = `
type Shelf kind
  metadata meta.v1.ObjectMeta =1 omitempty
  spec ShelfSpec =2 required

type ShelfSpec
  driver string =1 required zero
  access string =2 required zero enum=Open|Closed
  mode *string =3 omitempty enum=Fast|Slow
  boards []ShelfBoard =4 required list=atomic
  shelfCount int32 =5 omitempty

type ShelfBoard
  name string =1 required zero
`;

before(async () => {
  for (const path of kCopied) cpSync(join(top, path), join(copy, path), { recursive: true });
  const catalogue = join(copy, 'core', 'schema', 'catalogue');
  const resources = join(catalogue, 'resources.txt');
  writeFileSync(resources, readFileSync(resources, 'utf8').replace('  resource storageclasses', `${kShelfResource}$&`));
  appendFileSync(join(catalogue, 'columns.txt'), kShelfColumns);
  appendFileSync(join(catalogue, 'types', 'storage-v1.txt'), kShelfTypes);
  if (existsSync(commands)) return;
  await run(process.execPath, ['tools/third_party.mjs'], { quiet: true });
  await run('cmake', ['--preset', 'dev'], { quiet: true });
});

const text = (path) => readFileSync(join(copy, path), 'utf8');
const make = (...args) => spawnSync(process.execPath, [join(copy, 'tools', 'new.mjs'), ...args], { encoding: 'utf8' });

/** Returns a number for all that is in the copy. */
function digest(folder = copy) {
  const hash = createHash('sha256');
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    hash.update(entry.name).update(entry.isDirectory() ? digest(path) : readFileSync(path));
  }
  return hash.digest('hex');
}

/** Runs the tool; returns the paths of the files that it wrote. */
function made(...args) {
  const { status, stdout, stderr } = make(...args);
  assert.equal(status, 0, stderr);
  const paths = [...stdout.matchAll(/^(?:new|changed) +(\S+)$/gm)].map(([, path]) => path);
  for (const path of paths) assert.ok(existsSync(join(copy, path)), path);
  return paths;
}

/** Compiles a source of the copy as the library or test `target` is compiled. */
function compiles(target, source) {
  const entry = JSON.parse(readFileSync(commands, 'utf8')).find(({ command }) => command.includes(`/${target}.dir/`));
  const flags = entry.command.slice(0, entry.command.indexOf(' -o ')).replaceAll(join(top, 'core'), join(copy, 'core'));
  const { status, stderr } = spawnSync(`${flags} -fsyntax-only ${join(copy, source)}`, { cwd: entry.directory, shell: true, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
}

function staysClean(paths) {
  const layers = spawnSync(process.execPath, [join(copy, 'tools', 'check_layers.mjs')], { encoding: 'utf8' });
  assert.equal(layers.status, 0, layers.stderr);
  const program = clangTool('clang-format');
  const sources = paths.filter((path) => /\.(cc|h)$/.test(path));
  if (!program || !sources.length) return;
  const format = spawnSync(program, ['--dry-run', '-Werror', '--style=file', ...sources], { cwd: copy, encoding: 'utf8' });
  assert.equal(format.status, 0, format.stderr);
}

/** Fails unless tests/CMakeLists.txt names the source once, in the test of that folder. */
function isTested(folder, source) {
  const [, sources] = new RegExp(`tab_test\\(${folder}\\s+SOURCES\\s([^)]*)\\)`).exec(text('tests/CMakeLists.txt'));
  assert.equal(sources.split(/\s+/).filter((each) => each === source).length, 1);
}

const isBuilt = (folder, source) => assert.match(text(`core/${folder}/module.cmake`), new RegExp(`tab_module\\(${folder}\\s+SOURCES[^)]*\\s${source}\\s`));

test('kind: a row with what the catalogue implies, and a test of it', () => {
  const paths = made('kind', 'storage.k8s.io/Shelf');
  assert.deepEqual(paths, ['core/kinds/storage/shelf.cc', 'tests/core/kinds/storage/shelf_test.cc', 'core/kinds/table/kinds.h', 'core/kinds/module.cmake', 'tests/CMakeLists.txt']);
  assert.match(text(paths[0]), /spec\n driver required\n access required enum:Open,Closed\n mode given enum:Fast,Slow\n boards required\n\)"/);
  assert.match(text(paths[0]), /row\.text\(text_at\(object, \{"spec", "driver"\}\)\);\n {2}row\.number\(number_at\(object, \{"spec", "shelfCount"\}\)\);\n/);
  assert.match(text('core/kinds/table/kinds.h'), /KIND\(kVolumeAttributesClassKind\) +\\\n {2}KIND\(kShelfKind\) +\\\n/);
  isBuilt('kinds', 'storage/shelf.cc');
  isTested('kinds', 'storage/shelf_test.cc');
  staysClean(paths);
  const rules = spawnSync(process.execPath, [join(copy, 'tools', 'rules', 'compile.mjs'), join(copy, 'kind_rules.cc'), join(copy, 'core', 'rules'), join(copy, 'core', 'kinds')], { encoding: 'utf8' });
  assert.equal(rules.status, 0, rules.stderr);
  assert.match(text('kind_rules.cc'), /kShelfRules/);
  compiles('tab_kinds', paths[0]);
  compiles('test_kinds', paths[1]);
});

test('controller: a control loop that looks at the kind in its name, and a test of it', () => {
  const paths = made('controller', 'policy/ipaddress-controller');
  assert.deepEqual(paths, [
    'core/controllers/policy/ipaddress.h',
    'core/controllers/policy/ipaddress.cc',
    'tests/core/controllers/policy/ipaddress_test.cc',
    'core/controllers/run/loop_table.cc',
    'core/controllers/module.cmake',
    'tests/CMakeLists.txt',
  ]);
  assert.match(text(paths[1]), /resource\.group != "networking\.k8s\.io" \|\| resource\.plural != "ipaddresses"/);
  assert.match(text('core/controllers/run/loop_table.cc'), / {4}\{"ipaddress-controller", "ipaddress", "", &make_loop<Ipaddress>\},\n/);
  isBuilt('controllers', 'policy/ipaddress.cc');
  isTested('controllers', 'policy/ipaddress_test.cc');
  staysClean(paths);
  compiles('tab_controllers', paths[1]);
  compiles('tab_controllers', 'core/controllers/run/loop_table.cc');
  compiles('test_controllers', paths[2]);
});

test('plugin: its phase in the table, and a test of it', () => {
  const paths = made('plugin', 'AlwaysAdmit');
  assert.deepEqual(paths, [
    'core/admission/always_admit.cc',
    'tests/core/admission/always_admit_test.cc',
    'core/admission/plugins.h',
    'core/admission/plugin_table.cc',
    'core/admission/module.cmake',
    'tests/CMakeLists.txt',
  ]);
  assert.match(text(paths[3]), /\{\.name = "AlwaysAdmit",\s+\.operations = \{kCreate, kUpdate\},\s+\.validate = &check_always_admit\},/);
  assert.deepEqual(made('plugin', 'PodGroupProtection')[0], 'core/admission/pod_group_protection.cc');
  assert.match(text(paths[3]), /"PodGroupProtection",\n {5}\.on = true,\n/);
  isBuilt('admission', 'always_admit.cc');
  isTested('admission', 'always_admit_test.cc');
  staysClean(paths);
  compiles('tab_admission', paths[0]);
  compiles('tab_admission', paths[3]);
  compiles('test_admission', paths[1]);
});

/** Returns the failures of a scenario of the copy whose only answer has this body. */
async function failuresOf(name, body) {
  const { loadScenarios } = await import(join(copy, 'tests/conformance/runner/files.mjs'));
  const { runScenario } = await import(join(copy, 'tests/conformance/runner/scenario.mjs'));
  const found = loadScenarios([name]);
  assert.equal(found.length, 1);
  const answer = { status: 201, headers: [['content-type', 'application/json'], ['cache-control', 'no-cache, private']], body: Buffer.from(body) };
  const transport = { reset: async () => {}, request: async () => answer, settle: async () => {}, advance: async () => {} };
  return (await runScenario(found[0], transport)).failures;
}

test('case: a scenario that is red until its answer stands there', async () => {
  const paths = made('case', 'shelves/full');
  assert.deepEqual(paths, ['tests/conformance/cases/shelves.json']);
  assert.equal((await failuresOf('shelves/full', '{}')).length, 1);
  writeFileSync(join(copy, paths[0]), text(paths[0]).replace(/\{ "text": "[^"]*" \}/, '{ "kind": "ConfigMap" }'));
  assert.equal((await failuresOf('shelves/full', '{"kind":"ConfigMap"}')).length, 0);
});

for (const topic of ['control-loops', 'watching', 'invalid-config'])
  test(`case: one more scenario in ${topic}.json, and the others as they were`, async () => {
    const path = `tests/conformance/cases/${topic}.json`;
    const { scenarios } = JSON.parse(text(path));
    const [head] = text(path).split(/\s*\]\s*\}\s*$/);
    assert.deepEqual(made('case', `${topic}/one-more`), [path]);
    assert.ok(text(path).startsWith(head));
    const after = JSON.parse(text(path)).scenarios;
    assert.deepEqual(after.slice(0, -1), scenarios);
    assert.equal((await failuresOf(`${topic}/one-more`, '{}')).length, 1);
  });

const kRefused = [
  { args: [], says: /^usage: / },
  { args: ['kind'], says: /^usage: / },
  { args: ['widget', 'a'], says: /^usage: / },
  { args: ['toString', 'a'], says: /^usage: / },
  { args: ['case', 'shelves/a', 'b'], says: /^usage: / },
  { args: ['kind', 'Lease'], says: /is not GROUP\/KIND/ },
  { args: ['kind', 'coordination.k8s.io/lease'], says: /is not GROUP\/KIND/ },
  { args: ['kind', '../apps/Pod'], says: /is not GROUP\/KIND/ },
  { args: ['kind', 'example.com/Thing'], says: /the catalogue has no group example\.com/ },
  { args: ['kind', 'apps/Pod'], says: /the catalogue has no resource of kind Pod in apps/ },
  { args: ['kind', 'coordination.k8s.io/Lease'], says: /Lease has a row: kLeaseKind/ },
  { args: ['kind', 'events.k8s.io/Event'], says: /Event has a row: kEventsEventKind/ },
  { args: ['kind', 'authentication.k8s.io/TokenReview'], says: /TokenReview is not stored/ },
  { args: ['controller', 'job-controller'], says: /is not ROOM\/NAME-controller/ },
  { args: ['controller', 'nowhere/job-controller'], says: /is not ROOM\/NAME-controller/ },
  { args: ['controller', 'policy/job'], says: /is not a name in kube-controller-manager's form/ },
  { args: ['controller', 'policy/Job-controller'], says: /is not a name in kube-controller-manager's form/ },
  { args: ['controller', 'policy/job--controller'], says: /is not a name in kube-controller-manager's form/ },
  { args: ['controller', 'policy/disruption-controller'], says: /the loop table has disruption/ },
  { args: ['controller', 'policy/root-ca-cert-publisher-controller'], says: /the loop table has root-ca-cert-publisher/ },
  { args: ['controller', 'policy/owner-index-controller'], says: /core\/controllers\/garbage\/owner_index\.h/ },
  { args: ['controller', 'policy/watch-event-controller'], says: /core\/controllers\/loop\/control_loop\.h has a class WatchEvent/ },
  { args: ['plugin', 'always-pull-images'], says: /is not the name of an admission plugin/ },
  { args: ['plugin', 'PullImages'], says: /kube-apiserver 1\.36 has no admission plugin PullImages/ },
  { args: ['plugin', 'PodSecurity'], says: /PodSecurity exists: core\/admission\/plugin_table\.cc/ },
  { args: ['plugin', 'Priority'], says: /Priority exists: core\/admission\/plugin_table\.cc/ },
  { args: ['case', 'shelves'], says: /is not TOPIC\/NAME/ },
  { args: ['case', 'Shelves/a'], says: /is not TOPIC\/NAME/ },
  { args: ['case', '../cases/a'], says: /is not TOPIC\/NAME/ },
  { args: ['case', 'errors/a'], says: /golden\/errors\.json has the recordings of errors/ },
  { args: ['case', 'watching/timeout'], says: /has a scenario timeout/ },
];

for (const { args, says } of kRefused)
  test(`refused, and nothing is written: ${args.join(' ') || 'nothing'}`, () => {
    const before = digest();
    const { status, stdout, stderr } = make(...args);
    assert.equal(status, 1);
    assert.equal(stdout, '');
    assert.match(stderr, says);
    assert.match(stderr, /^[^\n]+\n$/);
    assert.equal(digest(), before);
  });

test('room: a module has it once', () => {
  const module = 'tab_module(kinds\n  SOURCES\n    core/pod.cc\n  ROOMS\n    "row:"  # a row\n    "core: row"\n  DEPS custom)\n';
  assert.equal(withRoom(module, 'kinds', 'core', 'row'), module);
  assert.equal(withRoom(module, 'kinds', 'apps', 'row'), module.replace('    "core: row"', '    "apps: row"\n    "core: row"'));
  assert.throws(() => withRoom('tab_module(json SOURCES a.cc\n  DEPS base)', 'json', 'x', ''), /no tab_module\(json … ROOMS …\)/);
});
