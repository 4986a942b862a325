// The layer check must find what it is there to find.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultsOf, idleArrows } from '../layers/includes.mjs';
import { callsOfRules, faultsOfCalls } from '../layers/rules.mjs';
import { faultsOfModules, mayInclude, reachable, readModules, unitOf } from '../layers/modules.mjs';

const modules = readModules(`
  tab_module(base SOURCES a.cc DEPS)   # tab_module(ghost DEPS base)
  tab_module(json DEPS base LIBRARIES third_party::x)
  tab_module(store SOURCES tree.cc DEPS base EXCEPTIONS_FOR tree.cc)
  tab_module(registry SOURCES life/get.cc top.cc kinds/pod/pod.cc
    ROOMS
      ".: life"  # "loose" files (of all sorts)
      "life:"
      "kinds: . life"
      "kinds/pod: kinds"
    DEPS json store)
  tab_module(plain DEPS registry/life)`);

test('modules, dependencies and rooms are read from CMake, comments and other keywords left out', () => {
  assert.deepEqual([...modules.keys()], ['base', 'json', 'store', 'registry', 'plain']);
  assert.deepEqual(modules.get('base'), { deps: [], rooms: undefined });
  assert.deepEqual(modules.get('registry').deps, ['json', 'store']);
  assert.deepEqual([...modules.get('registry').rooms], [['.', ['life']], ['life', []], ['kinds', ['.', 'life']], ['kinds/pod', ['kinds']]]);
});

test('a folder reaches what its dependencies reach, of a single room too', () => {
  assert.deepEqual([...reachable(modules, 'registry')].sort(), ['base', 'json', 'registry', 'store']);
  assert.deepEqual([...reachable(modules, 'plain')].sort(), ['base', 'json', 'plain', 'registry/life', 'store']);
});

test('a file is of the innermost room that is declared', () => {
  assert.equal(unitOf(modules, 'store/tree.h'), 'store');
  assert.equal(unitOf(modules, 'store/inner/tree.h'), 'store');
  assert.equal(unitOf(modules, 'registry/top.cc'), 'registry/.');
  assert.equal(unitOf(modules, 'registry/kinds/row.h'), 'registry/kinds');
  assert.equal(unitOf(modules, 'registry/kinds/pod/pod.cc'), 'registry/kinds/pod');
  assert.equal(unitOf(modules, 'registry/kinds/new/x.cc'), 'registry/kinds');
  assert.equal(unitOf(modules, 'registry/new/x.cc'), undefined);
  assert.equal(unitOf(modules, 'new/x.cc'), undefined);
});

test('within a module the rooms say what may be included, and nothing that they reach further', () => {
  assert.ok(mayInclude(modules, 'registry/kinds/pod', 'registry/kinds'));
  assert.ok(!mayInclude(modules, 'registry/kinds/pod', 'registry/life'));
  assert.ok(!mayInclude(modules, 'registry/life', 'registry/kinds'));
  assert.ok(mayInclude(modules, 'registry/life', 'store'));
});

const rooms = (...list) => readModules(`tab_module(server ROOMS ${list.map((room) => `"${room}"`).join(' ')})`);

test('the lists themselves: circles and names that nothing has', () => {
  assert.deepEqual(faultsOfModules(modules), []);
  assert.deepEqual(faultsOfModules(readModules('tab_module(a DEPS b) tab_module(b DEPS c) tab_module(c DEPS b/x)')), [
    'dependencies go round: b → c → b',
    'c depends on b/x, which nobody declares',
  ]);
  assert.deepEqual(faultsOfModules(rooms('http: verbs', 'verbs: list', 'list: http')), ['the rooms of server go round: http → verbs → list → http']);
  assert.deepEqual(faultsOfModules(rooms('http: wire')), ['server/http may include server/wire, which nobody declares']);
});

test('an arrow between rooms that no include needs', () => {
  const files = [{ path: 'server/verbs/get.cc', text: '#include "server/http/query.h"\n#include "server/list/list.h"' }];
  assert.deepEqual(idleArrows(files, rooms('http:', 'list: http', 'verbs: http list')), ['server/list includes nothing of server/http']);
});

test('what a text of rules calls by name, in its own room and in others', () => {
  const rules = (name, text) => `namespace t {\nTAB_RULES(${name}, R"(\n${text}\n)");\n}`;
  const files = [
    { path: 'server/http/selector.cc', text: rules('kSelectorRules', 'matchLabels @labels') },
    { path: 'server/http/labels.cc', text: 'namespace t {\nextern const NamedCheck kChecks[] = {\n    {"labels", &labels},\n};\n}' },
    { path: 'server/verbs/get.cc', text: rules('kGetRules', 'spec\n a &selector\n ?!@labels b bad "no &selector"\n c &unknown') },
  ];
  const calls = callsOfRules(files);
  assert.deepEqual(calls.map(({ from, line, name, to }) => `${from}:${line} ${name} ${to}`), [
    'server/http/selector.cc:3 @labels server/http/labels.cc',
    'server/verbs/get.cc:4 &selector server/http/selector.cc',
    'server/verbs/get.cc:5 @labels server/http/labels.cc',
  ]);
  assert.deepEqual(faultsOfCalls(calls, rooms('http:', 'verbs: http')), []);
  assert.deepEqual(idleArrows([], rooms('http:', 'verbs: http'), calls), []);
  assert.deepEqual(faultsOfCalls(calls, rooms('http:', 'verbs:')).map(({ path, line, what }) => `${path}:${line}: ${what}`), [
    'server/verbs/get.cc:4: server/verbs calls &selector of server/http',
    'server/verbs/get.cc:5: server/verbs calls @labels of server/http',
  ]);
});

const cases = [
  { name: 'own folder', line: '#include "store/tree.h"', where: { unit: 'store' }, faults: [] },
  { name: 'a dependency', line: '#include "base/api/result.h"', where: { unit: 'registry/life' }, faults: [] },
  { name: 'a sibling', line: '#include "json/value.h"', where: { unit: 'store' }, faults: ['store may not include json'] },
  { name: 'upwards', line: '#include <registry/top.h>', where: { unit: 'base' }, faults: ['base may not include registry/.'] },
  { name: 'a room that is declared', line: '#include "registry/life/get.h"', where: { unit: 'registry/kinds' }, faults: [] },
  { name: 'a room that is not', line: '#include "registry/kinds/row.h"', where: { unit: 'registry/.' }, faults: ['registry/. may not include registry/kinds'] },
  { name: 'the one room of a module', line: '#include "registry/life/get.h"', where: { unit: 'plain' }, faults: [] },
  { name: 'another room of it', line: '#include "registry/kinds/row.h"', where: { unit: 'plain' }, faults: ['plain may not include registry/kinds'] },
  { name: 'no room at all', line: '#include "registry/new/x.h"', where: { unit: 'plain' }, faults: ['registry/new/x.h stands in no declared room'] },
  { name: 'a public header', line: '#include "tabernetes/time.h"', where: { unit: 'base' }, faults: [] },
  { name: 'threads', line: '#include <thread>', where: { unit: 'base' }, faults: ['<thread> has no place in the core'] },
  { name: 'the clock', line: 'auto t = steady_clock::now();', where: { unit: 'base' }, faults: ['asks the time; it comes in through advance()'] },
  { name: 'a sort per type', line: 'std::stable_sort(all.begin(), all.end());', where: { unit: 'store' }, faults: ['instantiates a sort; sort_stable of base/algorithm/sort.h is compiled once'] },
  { name: 'the clock in a comment', line: '// never steady_clock::now()', where: { unit: 'base' }, faults: [] },
  { name: 'a public header that shows the inside', line: '#include "base/api/result.h"', where: { publicHeader: true }, faults: ['a public header includes base/api/result.h, which hosts do not see'] },
  { name: 'a host that looks inside', line: '#include "store/tree.h"', where: { host: 'wasm' }, faults: ['a host includes store/tree.h; it may include tabernetes/*.h only'] },
  { name: 'a host with threads', line: '#include <thread>', where: { host: 'mock-server' }, faults: [] },
];

for (const { name, line, where, faults } of cases)
  test(`include: ${name}`, () => assert.deepEqual(faultsOf(line, where, modules).map((f) => f.what), faults));
