#!/usr/bin/env node
// Keeps the native server's sanitizer build busy for a while, over TLS, with all that clients do:
//
//   node tests/soak/run.mjs [SECONDS] [SEED]      5 minutes unless told otherwise
//
// In rounds: objects come and go over HTTP/1.1 and HTTP/2, watches are read, ended and broken off, shells and ports are used
// over WebSocket, requests meet faults, versions are compacted. Fails if an answer is wrong, if descriptors or memory grow
// from round to round, if a sanitizer reports, or if the server does not end well. The last line is `N passed, N failed`.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import http2 from 'node:http2';
import https from 'node:https';
import { join } from 'node:path';
import WebSocket from 'ws';
import { randomOf } from '../fuzz/wire/mutate.mjs';
import { serve, waitFor } from '../mock-server/server.mjs';
import { Checks } from '../stress/checks.mjs';
import { top } from '../../tools/lib/top.mjs';

const [seconds = '300', seed = '1'] = process.argv.slice(2);
const kParallel = 8; // of each task in a round
const kWarmUp = 0.3; // of the time, after which memory may not grow much
const kMostGrowth = 1.25;
const kPatience = 60_000;

process.env.ASAN_OPTIONS ??= 'quarantine_size_mb=8';
const binary = process.env.TABERNETES_BINARY ?? join(top, 'build', 'dev', 'bin', 'tabernetes');
const pod = join(top, 'tests', 'fuzz', 'wire', 'pod.yaml');
const server = await serve(binary, '--tls', '--ui=false', '--load', pod, '--watch-history', '5s', '--seed', seed);
const { port, host } = new URL(server.url);
const random = randomOf(Number(seed));
const configMaps = '/api/v1/namespaces/default/configmaps';
const podPath = '/api/v1/namespaces/default/pods/web';

/** Sends a request with HTTP/1.1 on a connection of its own, or one that is kept. */
function ask(method, path, { body, agent = false, headers = {} } = {}) {
  const sent = body && JSON.stringify(body);
  return new Promise((done, fail) => {
    const request = https.request({ host: '127.0.0.1', port, method, path, agent, rejectUnauthorized: false, timeout: kPatience, headers: { ...(sent ? { 'content-type': 'application/json' } : {}), ...headers } }, async (response) => {
      try {
        let text = '';
        for await (const chunk of response.setEncoding('utf8')) text += chunk;
        done({ status: response.statusCode, text });
      } catch (error) {
        fail(error);
      }
    });
    request.on('error', fail).on('timeout', () => request.destroy(new Error(`${method} ${path}: no answer`)));
    request.end(sent);
  });
}

const expect = async (status, ...request) => {
  const answer = await ask(...request);
  assert.equal(answer.status, status, `${request[0]} ${request[1]}: ${answer.text}`);
  return answer.text;
};

const kept = new https.Agent({ keepAlive: true, maxSockets: 4 });

async function objects(name) {
  await expect(201, 'POST', configMaps, { body: { metadata: { name }, data: { a: 'x'.repeat(random(5000)) } }, agent: kept });
  await expect(200, 'PATCH', `${configMaps}/${name}`, { body: { data: { b: '1' } }, headers: { 'content-type': 'application/merge-patch+json' } });
  await expect(200, 'GET', `${configMaps}?limit=3`, { agent: kept, headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io', 'accept-encoding': 'gzip' } });
  await expect(200, 'DELETE', `${configMaps}/${name}`);
  await expect(404, 'GET', `${configMaps}/${name}`, { agent: kept });
}

/** Several streams of one connection, of which some are cancelled. */
async function streams() {
  const session = http2.connect(server.url, { rejectUnauthorized: false });
  session.on('error', () => {});
  const stream = (headers) => session.request(headers).on('error', () => {}).resume();
  const watch = stream({ ':path': `${configMaps}?watch=1` });
  const gets = Array.from({ length: 5 }, (_, i) => stream({ ':path': i % 2 ? '/openapi/v2' : '/apis' }));
  gets[random(5)].close(http2.constants.NGHTTP2_CANCEL);
  await Promise.all(gets.map((get) => once(get, 'close')));
  if (random(2)) watch.close(http2.constants.NGHTTP2_CANCEL);
  session.destroy();
}

/** A watch that ends by itself, is aborted, or whose connection breaks. */
async function watching() {
  const how = random(3);
  if (how === 0) return void (await expect(200, 'GET', `${configMaps}?watch=1&timeoutSeconds=1`));
  await new Promise((done) => {
    const request = https.get({ host: '127.0.0.1', port, path: `${configMaps}?watch=1`, agent: false, rejectUnauthorized: false }, (response) => {
      response.on('error', () => {}).on('close', done).resume();
      setTimeout(() => (how === 1 ? request.destroy() : response.socket.destroy()), random(100));
    });
    request.on('error', done);
  });
}

/** Opens a WebSocket, sends `messages`, and waits until what came fits `pattern`. */
async function converse(path, protocol, messages, pattern) {
  const socket = new WebSocket(`wss://${host}${path}`, protocol, { rejectUnauthorized: false });
  socket.on('error', () => {});
  const closed = new Promise((done) => socket.on('close', done));
  let text = '';
  socket.on('message', (bytes) => (text += bytes.toString('latin1')));
  await once(socket, 'open');
  for (const message of messages) socket.send(Buffer.from(message, 'latin1'));
  await waitFor(() => pattern.test(text), kPatience, () => `${pattern} in ${JSON.stringify(text.slice(0, 300))}`);
  if (random(2)) socket.close();
  else socket.terminate();
  await closed;
}

const shell = () => converse(`${podPath}/exec?command=cat&stdin=1&stdout=1`, 'v5.channel.k8s.io', ['\0hello\n', '\xff\0'], /hello/);
const forward = () => converse(`${podPath}/portforward?ports=80`, 'v4.channel.k8s.io', ['\0GET / HTTP/1.1\r\nHost: web\r\nConnection: close\r\n\r\n'], /HTTP\/1\.1 200/);
const logs = () => expect(200, 'GET', `${podPath}/log?tailLines=5&timestamps=true`);

async function faults() {
  await expect(200, 'PUT', '/-/tabernetes/faults', { body: [{ match: { path: '/version' }, nth: 1, body: { bytes: 20, then: 'close' } }, { match: { path: '/version' }, nth: 1, delay: '10ms', status: 503 }] });
  await ask('GET', '/version').catch(() => {});
  await ask('GET', '/version').catch(() => {});
  await expect(200, 'DELETE', '/-/tabernetes/faults');
}

/** What the server holds when nobody asks anything of it. */
function held() {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  return { descriptors: readdirSync(`/proc/${server.pid}/fd`).length, kilobytes: Number(status.match(/VmRSS:\s+(\d+)/)[1]) };
}

async function round(number) {
  const many = (task) => Array.from({ length: kParallel }, (_, i) => task(`soak-${number}-${i}`));
  await Promise.all([objects, streams, watching, shell, forward, logs].flatMap(many));
  await faults();
  await expect(200, 'POST', '/-/tabernetes/compact', { body: {} });
}

const checks = new Checks();
const check = (...what) => checks.check(...what);

const begun = Date.now();
const end = begun + Number(seconds) * 1000;
let rounds = 0;
let warm;
await check('the pod runs', () => waitFor(async () => JSON.parse((await ask('GET', podPath)).text).status.phase === 'Running', kPatience));
await check(`${seconds} seconds of everything (seed ${seed})`, async () => {
  while (Date.now() < end) {
    await round(rounds++);
    if (!warm && Date.now() > begun + (end - begun) * kWarmUp) warm = held();
  }
  return `${rounds} rounds`;
});
kept.destroy();
await check('descriptors are given back', async () => {
  await waitFor(() => held().descriptors <= warm.descriptors + kParallel, kPatience, () => `${held().descriptors}, ${warm.descriptors} after the warm-up`);
});
await check('memory does not grow', () => {
  const now = held().kilobytes;
  assert.ok(now < warm.kilobytes * kMostGrowth, `${now} KB, ${warm.kilobytes} KB after the warm-up`);
  return `${(now / warm.kilobytes).toFixed(2)} times that after the warm-up, ${(now / 1024).toFixed(0)} MB`;
});
await check('the server ends well, without a report', async () => {
  assert.equal(await server.stop(), 0);
  assert.equal(server.output.stderr, '');
});
checks.end();
