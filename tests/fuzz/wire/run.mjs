#!/usr/bin/env node
// Sends damaged bytes to the native server's sanitizer build, over real sockets:
//
//   node tests/fuzz/wire/run.mjs http1|http2|websocket|tls [SECONDS] [SEED]
//
// The server must go on answering others, and end well. If it does not, the last inputs are in
// build/fuzz-found/wire-TARGET, each as it was sent.
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import http from 'node:http';
import net from 'node:net';
import { join } from 'node:path';
import { serve } from '../../mock-server/server.mjs';
import { top } from '../../../tools/lib/top.mjs';
import { targets } from './inputs.mjs';
import { mutated, randomOf } from './mutate.mjs';

const kConnections = 8; // at a time
const kKept = 64;
const [target, seconds = '60', seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
assert.ok(targets[target], `a target: ${Object.keys(targets).join(', ')}`);

const binary = process.env.TABERNETES_BINARY ?? join(top, 'build', 'dev', 'bin', 'tabernetes');
const pod = join(top, 'tests', 'fuzz', 'wire', 'pod.yaml');
const server = await serve(binary, '--ui=false', '--load', pod, ...targets[target].flags);
const { port, protocol } = new URL(server.url);
const random = randomOf(Number(seed));
const inputs = await targets[target].inputs(Number(port));
const last = [];
let sent = 0;

/** Sends the bytes in pieces, and waits a moment for what the server makes of it. */
function send(bytes) {
  return new Promise((done) => {
    const socket = net.connect(Number(port), '127.0.0.1');
    const timer = setTimeout(() => socket.destroy(), 30 + random(50));
    socket.on('error', () => {});
    socket.on('close', () => (clearTimeout(timer), done()));
    socket.resume();
    const cut = random(bytes.length + 1);
    socket.write(bytes.subarray(0, cut));
    setImmediate(() => socket.writable && socket.write(bytes.subarray(cut)));
  });
}

/** Rejects unless the server answers somebody else. */
const answers = () => new Promise((done, fail) => {
  const get = protocol === 'https:' ? https.get : http.get;
  get(`${server.url}/readyz`, { rejectUnauthorized: false, timeout: 10_000, agent: false }, (response) => {
    response.resume();
    if (response.statusCode === 200) done();
    else fail(new Error(`/readyz: ${response.statusCode}`));
  }).on('error', fail).on('timeout', () => fail(new Error('no answer within 10 s')));
});

async function worker(end) {
  while (Date.now() < end) {
    const bytes = mutated(inputs[random(inputs.length)], inputs[random(inputs.length)], random);
    last.push(bytes);
    if (last.length > kKept) last.shift();
    await send(bytes);
    if (++sent % 200 === 0) await answers();
  }
}

let fault;
try {
  const end = Date.now() + Number(seconds) * 1000;
  await Promise.all(Array.from({ length: kConnections }, () => worker(end)));
  await answers();
} catch (error) {
  fault = error;
}
const code = await server.stop();
if (code !== 0) fault ??= new Error(`the server ended with ${code}`);
if (fault) {
  const found = join(top, 'build', 'fuzz-found', `wire-${target}`);
  rmSync(found, { recursive: true, force: true });
  mkdirSync(found, { recursive: true });
  for (const [i, bytes] of last.entries()) writeFileSync(join(found, String(i).padStart(2, '0')), bytes);
  console.log(`seed ${seed}: ${fault.message}\n${server.output.stderr}\nthe last inputs are in ${found}`);
}
console.log(`wire-${target}: ${sent} inputs, ${fault ? 'FAILED' : 'good'}`);
process.exitCode = fault ? 1 : 0;
