#!/usr/bin/env node
// Sends damaged requests to the native server and the WebAssembly core: neither may crash or hang, every JSON answer
// must be valid JSON, and both must answer the same bytes.
//
//   node tests/conformance/mutate.mjs [--seconds 20] [--seed 1]

import { parseArgs } from 'node:util';
import { describeBytes, fromUtf8 } from './runner/bytes.mjs';
import { loadScenarios } from './runner/files.mjs';
import { Dice, mayStream, nextRequest, requestsOf } from './runner/mutation.mjs';
import { JsonSyntaxError, parseJson } from './runner/ordered_json.mjs';
import { Transcript, firstDifference } from './runner/transcript.mjs';
import { NativeTransport } from './runner/transports/native.mjs';
import { WasmTransport } from './runner/transports/wasm.mjs';

const kPatience = 10_000;
const kMaxWait = 5; // seconds of the clusters' clocks that an answer may wait for its version
const kShown = 5; // faults shown per check

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' } } });

// Returns the answers of both. The clocks stand still; an answer that waits for its version gets time, the same on both
// hosts.
async function answersOf(request) {
  let late;
  const timeout = new Promise((_, reject) => {
    late = setTimeout(() => reject(new Error('no answer')), kPatience);
  });
  // Told by the head: to decompress a long body takes turns of the event loop, in which no time may pass.
  let answered = false;
  const ofWasm = wasm.request(request, { begun: () => (answered = true) });
  const answers = Promise.all([native.request(request), ofWasm]);
  const withTime = async () => {
    await wasm.settle();
    for (let i = 0; i < kMaxWait && !answered; i++) {
      await native.settle();
      for (const transport of [native, wasm]) await transport.advance(1000);
      await wasm.settle();
    }
    return answers;
  };
  return Promise.race([timeout, withTime()]).finally(() => clearTimeout(late));
}

function isWellFormed({ status, headers, body }) {
  if (status === 206) return true; // a part, for a Range request
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  if (type !== 'application/json' || body.length === 0) return true;
  try {
    return fromUtf8(body) !== null && parseJson(fromUtf8(body)).doubled?.length !== 1;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return false;
    throw error;
  }
}

function differenceOf(...answers) {
  const [one, other] = answers.map((answer) => {
    const transcript = new Transcript();
    transcript.add('', '', answer);
    return transcript.exchanges;
  });
  return firstDifference(one, other);
}

const describe = ({ method, path, headers, body }) =>
  `${method} ${path} ${headers.map((pair) => pair.join(': ')).join(', ')}\n  ${body ? describeBytes(body).slice(0, 1500) : 'no body'}`;

const faults = { 'an answer to every request': [], 'JSON answers are JSON': [], 'the hosts agree': [] };
const note = (check, request, what) => faults[check].push(`${describe(request)}\n  ${what}`);

const requests = requestsOf(loadScenarios()).filter((request) => !mayStream(request));
const dice = new Dice(Number(values.seed));
const native = await NativeTransport.start();
const { createCluster } = await import(new URL('../../dist/index.js', import.meta.url).href);
const wasm = new WasmTransport(createCluster, `127.0.0.1:${native.port}`);
await native.reset('mutate');
await wasm.reset('mutate');
// The only object that contains its host's port.
const kubernetes = { method: 'DELETE', path: '/api/v1/namespaces/default/services/kubernetes', headers: [], body: null };
// The first OpenAPI document waits for its texts, which the hosts load in their own time.
const document = { method: 'GET', path: '/openapi/v3/version', headers: [['authorization', 'Bearer admin-token']], body: null };
for (const transport of [native, wasm]) {
  await transport.request(kubernetes);
  await transport.request(document);
}

const end = Date.now() + 1000 * Number(values.seconds);
let count = 0;
while (Date.now() < end && faults['an answer to every request'].length === 0) {
  const request = nextRequest(requests, dice);
  count++;
  try {
    const [one, other] = await answersOf(request);
    if (!isWellFormed(one)) note('JSON answers are JSON', request, describeBytes(one.body).slice(0, 500));
    const difference = differenceOf(one, other);
    if (difference) note('the hosts agree', request, JSON.stringify(difference));
  } catch (error) {
    note('an answer to every request', request, error.message);
  }
}
await native.close();
wasm.close();
for (const crash of native.crashes) faults['an answer to every request'].push(crash);

let failed = 0;
for (const [check, found] of Object.entries(faults)) {
  if (found.length) failed++;
  for (const fault of found.slice(0, kShown)) console.log(`FAILED: ${check}: ${fault}`);
}
console.log(`${count} requests from seed ${values.seed}`);
console.log(`${Object.keys(faults).length - failed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
