// Tests the runner against its own recordings: they are all green, and red after every kind of change.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromUtf8, toUtf8 } from './bytes.mjs';
import { loadScenarios } from './files.mjs';
import { parseJson, printJson, JsonObject } from './ordered_json.mjs';
import { describeResult } from './report.mjs';
import { runSuite } from './suite.mjs';
import { ReplayTransport } from './transports/replay.mjs';

const scenarios = loadScenarios();
const byName = new Map(scenarios.map(({ name, scenario }) => [name, scenario]));

async function failures(only, mutate) {
  const results = await runSuite(scenarios.filter(({ name }) => only.includes(name)), new ReplayTransport(byName, mutate));
  return results.flatMap((result) => result.failures);
}

test('the recordings are green against themselves', async () => {
  assert.ok(scenarios.length > 400, `${scenarios.length} scenarios`);
  const results = await runSuite(scenarios, new ReplayTransport(byName));
  const red = results.filter((result) => result.failures.length);
  assert.equal(red.map(describeResult).join('\n\n'), '');
});

const changeText = (change) => (answer) => ({ ...answer, body: toUtf8(change(fromUtf8(answer.body))) });
const changeJson = (change) => changeText((text) => `${printJson(change(parseJson(text)))}\n`);

const kMutations = [
  ['another status', (answer) => ({ ...answer, status: answer.status + 1 })],
  ['a missing header', (answer) => ({ ...answer, headers: answer.headers.slice(1) })],
  ['an extra header that is compared', (answer) => ({ ...answer, headers: [...answer.headers, ['warning', '299 - "x"']] })],
  ['a changed byte', changeText((text) => text.replace('not found', 'not founD'))],
  ['swapped keys', changeJson((body) => new JsonObject([...body].reverse()))],
  ['a missing key', changeJson((body) => new JsonObject([...body].slice(1)))],
  ['an extra key', changeJson((body) => new JsonObject([...body, ['extra', true]]))],
  ['a doubled key', changeText((text) => text.replace('{', '{"kind":"Status",'))],
  ['a number of another spelling', changeText((text) => text.replace('404', '404.0'))],
  ['no body', (answer) => ({ ...answer, body: new Uint8Array() })],
  ['not JSON', changeText(() => 'oops')],
];

for (const [what, mutate] of kMutations) {
  test(`red: ${what}`, async () => {
    const [first] = await failures(['errors/not-found'], mutate);
    assert.equal(first?.step, '0');
  });
}

const kWatchMutations = [
  ['a missing event', (answer) => ({ ...answer, events: answer.events.slice(1) })],
  ['an extra event', (answer) => ({ ...answer, events: [...answer.events, answer.events[0]] })],
  ['events in another order', (answer) => ({ ...answer, events: [...answer.events].reverse() })],
  ['half an event', (answer) => ({ ...answer, events: [...answer.events, toUtf8('{"type":')] })],
  ['an end that should not come', (answer) => ({ ...answer, ended: true })],
  ['no newline after an event', (answer) => ({ ...answer, events: answer.events.map((event) => toUtf8(fromUtf8(event).trim())) })],
];

for (const [what, mutate] of kWatchMutations) {
  test(`red: ${what}`, async () => {
    const red = await failures(['watch/watch-from-rv'], (answer, step) => (step.has('watch') ? mutate(answer) : answer));
    assert.notEqual(red.length, 0);
  });
}

test('red: a uid that changes between two answers', async () => {
  let count = 0;
  const mutate = changeText((text) => text.replaceAll('00000000-0000', `0000000${count++}-0000`));
  assert.notEqual((await failures(['errors/conflict'], mutate)).length, 0);
});

test('red: versions in another order than recorded', async () => {
  const swap = (text) => text.replace(/"resourceVersion":"1000"/g, '"resourceVersion":"9999"');
  const red = await failures(['errors/conflict'], changeText(swap));
  assert.ok(red.some((failure) => failure.differences.some(({ path }) => path === 'rvOrder')));
});

for (const [name, kind] of [['content/protobuf-write', 'protobuf'], ['content/cbor-write', 'cbor']]) {
  test(`red: a changed byte in a ${kind} answer`, async () => {
    const mutate = (answer) => {
      const isKind = answer.headers.some(([, value]) => value.includes(kind));
      return isKind ? { ...answer, body: answer.body.map((byte, i) => (i === 12 ? byte ^ 1 : byte)) } : answer;
    };
    assert.notEqual((await failures([name], mutate)).length, 0);
  });
}
