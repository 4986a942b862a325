// The layer check must find what it is there to find.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultsOf, reachable, readModules } from '../check_layers.mjs';

const modules = readModules(`
  tab_module(base SOURCES a.cc DEPS)   # tab_module(ghost DEPS base)
  tab_module(json DEPS base LIBRARIES third_party::x)
  tab_module(store SOURCES tree.cc DEPS base EXCEPTIONS_FOR tree.cc)
  tab_module(registry DEPS json store)`);

test('the dependencies are read from CMake, comments and other keywords left out', () => {
  assert.deepEqual([...modules], [['base', []], ['json', ['base']], ['store', ['base']], ['registry', ['json', 'store']]]);
});

test('a folder reaches what its dependencies reach', () => {
  assert.deepEqual([...reachable(modules, 'registry')].sort(), ['base', 'json', 'registry', 'store']);
});

const cases = [
  { name: 'own folder', line: '#include "store/tree.h"', where: { folder: 'store' }, faults: [] },
  { name: 'a dependency', line: '#include "base/result.h"', where: { folder: 'registry' }, faults: [] },
  { name: 'a sibling', line: '#include "json/value.h"', where: { folder: 'store' }, faults: ['store does not depend on json'] },
  { name: 'upwards', line: '#include <registry/list.h>', where: { folder: 'base' }, faults: ['base does not depend on registry'] },
  { name: 'a public header', line: '#include "tabernetes/time.h"', where: { folder: 'base' }, faults: [] },
  { name: 'threads', line: '#include <thread>', where: { folder: 'base' }, faults: ['<thread> has no place in the core'] },
  { name: 'the clock', line: 'auto t = steady_clock::now();', where: { folder: 'base' }, faults: ['asks the time; it comes in through advance()'] },
  { name: 'the clock in a comment', line: '// never steady_clock::now()', where: { folder: 'base' }, faults: [] },
  { name: 'a public header that shows the inside', line: '#include "base/result.h"', where: { publicHeader: true }, faults: ['a public header includes base/result.h, which hosts do not see'] },
  { name: 'a host that looks inside', line: '#include "store/tree.h"', where: { host: 'wasm' }, faults: ['a host includes store/tree.h; it may include tabernetes/*.h only'] },
  { name: 'a host with threads', line: '#include <thread>', where: { host: 'mock-server' }, faults: [] },
];

for (const { name, line, where, faults } of cases)
  test(`include: ${name}`, () => assert.deepEqual(faultsOf(line, where, modules).map((f) => f.what), faults));
