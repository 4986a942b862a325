// The audit log of a server (TABERNETES_BINARY, or the native one) against what a real kube-apiserver logged (recordings.json; README.md has its
// format): every event of every request, with the order of its members.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeCertificate } from '../clients/certificates.mjs';
import { Comparison } from '../conformance/runner/compare.mjs';
import { parseJson } from '../conformance/runner/ordered_json.mjs';
import { Bindings } from '../conformance/runner/placeholders.mjs';
import { makeRequest } from '../conformance/runner/request.mjs';
import { binary as shipped, run, serve } from '../mock-server/server.mjs';
import { kExceptions } from './exceptions.mjs';

const binary = process.env.TABERNETES_BINARY ?? shipped;
const isWasm = binary.endsWith('.js');
const recordings = parseJson(readFileSync(new URL('recordings.json', import.meta.url), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'tabernetes-audit-'));
const kTokens = 'admin-token,admin,admin-uid,"system:masters"\nviewer-token,viewer,viewer-uid,"viewers"\n';
const kPatience = 3000; // milliseconds for an event that comes after the answer
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const placeholders = {};
const kShortText = 'q'; // {{q}}
let hooks;

/** What the webhooks of the recording answer. */
function answerReview(path, review) {
  const response = { uid: review.request.uid, allowed: path !== '/deny' };
  if (path === '/mutate') {
    const patch = [{ op: 'add', path: '/metadata/labels/added', value: 'by-hook' }];
    Object.assign(response, { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64'), auditAnnotations: { reason: 'label added' } });
  }
  if (path === '/validate') Object.assign(response, { auditAnnotations: { by: 'check', checked: 'yes' }, warnings: ['checked'] });
  if (path === '/deny') Object.assign(response, { status: { code: 403, reason: 'Forbidden', message: 'not today' }, auditAnnotations: { denied: 'yes' } });
  return JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response });
}

before(async () => {
  writeFileSync(join(folder, 'tokens.csv'), kTokens);
  const authority = makeCertificate({ commonName: 'webhooks' });
  hooks = https.createServer(makeCertificate({ commonName: 'hook', names: ['127.0.0.1'], authority }), async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    const path = request.url.split('?')[0];
    if (path === '/slow') return; // never answers in time
    response.writeHead(200, { 'content-type': 'application/json' }).end(answerReview(path, JSON.parse(text)));
  });
  await new Promise((resolve) => hooks.listen(0, '127.0.0.1', resolve));
  const unused = net.createServer();
  await new Promise((resolve) => unused.listen(0, '127.0.0.1', resolve));
  Object.assign(placeholders, {
    webhook: `127.0.0.1:${hooks.address().port}`,
    closedPort: `127.0.0.1:${unused.address().port}`,
    certificate: Buffer.from(authority.cert).toString('base64'),
  });
  await new Promise((resolve) => unused.close(resolve));
});
after(() => {
  hooks.close();
  hooks.closeAllConnections();
  rmSync(folder, { recursive: true });
});

/** A server that logs by a policy, and its log. */
class Logged {
  static async start(group) {
    const logged = new Logged();
    const name = group.get('name');
    logged.log = join(folder, `${name}.log`);
    writeFileSync(join(folder, `${name}.yaml`), JSON.stringify(plain(group.get('policy'))));
    const flags = ['--audit-policy-file', join(folder, `${name}.yaml`), '--audit-log-path', logged.log, ...(plain(group.get('flags')) ?? [])];
    logged.server = await serve(binary, '--controllers', 'none', '--scheduler=false', '--nodes', '0', '--seed', '1', '--disable-admission-plugins', 'ServiceAccount', '--authorization-mode', 'RBAC', '--token-auth-file', join(folder, 'tokens.csv'), ...flags.filter((flag) => !flag.includes('max-batch-size')));
    logged.bindings = new Bindings();
    for (const [key, value] of Object.entries({ ...placeholders, q: kShortText, server: `127.0.0.1:${logged.server.port}` })) logged.bindings.set(key, value);
    logged.read = 0;
    return logged;
  }

  /** Returns the lines since the last call; waits until there are as many as wanted. */
  async lines(wanted) {
    const end = Date.now() + kPatience;
    for (;;) {
      const all = readFileSync(this.log, 'utf8').split('\n').slice(0, -1);
      if (all.length - this.read < wanted && Date.now() < end) {
        await pause(5);
        continue;
      }
      return all.splice(this.read, (this.read = all.length));
    }
  }

  /** Sends a request and reads its answer to the end; `leaves`: the client goes as soon as it has begun. */
  send(recorded, leaves) {
    const { method, path, headers, body } = makeRequest(recorded, this.bindings);
    const length = body ? [['content-length', String(body.length)]] : [];
    return new Promise((resolve, reject) => {
      const sent = http.request({ host: '127.0.0.1', port: this.server.port, method, path, headers: [['host', `127.0.0.1:${this.server.port}`], ...headers, ...length].flat() });
      sent.on('response', async (response) => {
        const pieces = [];
        if (leaves) {
          setTimeout(() => sent.destroy(), 100);
          response.on('error', () => {});
          return resolve({ status: response.statusCode, id: response.headers['audit-id'], text: '' });
        }
        for await (const piece of response) pieces.push(piece);
        resolve({ status: response.statusCode, id: response.headers['audit-id'], text: Buffer.concat(pieces).toString() });
      });
      sent.on('error', reject);
      sent.end(body ?? undefined);
    });
  }
}

const plain = (value) => {
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [key, plain(item)]));
  return value?.constructor?.name === 'JsonNumber' ? Number(value.text) : value;
};

const groups = new Map(recordings.get('groups').map((group) => [group.get('name'), group]));

/** Returns the events that a step expects. */
function expectedOf(step) {
  if (!step.has('same')) return step.get('events');
  const other = groups.get(step.get('same')).get('steps').find((one) => one.get('n').text === step.get('n').text);
  return other.get('events').map((event) => new Map([...event].map(([key, value]) => [key, key === 'level' ? 'Request' : value])));
}

function compare(expected, got, bindings, name) {
  const rules = { unordered: false, anyValue: (path) => kExceptions.some((one) => one.step?.test(name) && one.path?.test(path)) };
  const comparison = new Comparison(bindings, rules);
  if (typeof expected === 'string') comparison.text(expected, got, '$');
  else comparison.value(withoutLatency(expected), withoutLatency(parseJson(got)), '$');
  const left = comparison.differences.filter((one) => !rules.anyValue(one.path) && !isOlderBySeconds(one));
  return left.map(({ path, expected: wanted, got: found }) => `${path}: ${wanted.slice(0, 600)}\n      got ${found.slice(0, 600)}`);
}

/** Says whether a difference is an age in a Table, of which a second or two have begun between a create and its get. */
function isOlderBySeconds({ path, expected, got }) {
  if (!/\.rows\[\d+\]\.cells\[\d+\]$/.test(path)) return false;
  const [recorded, now] = [expected, got].map((age) => Number(/^"(\d)s"$/.exec(age)?.[1] ?? NaN));
  return Math.abs(now - recorded) <= 2;
}

// Where the time of a slow request went depends on the machine; the whole is written.
function withoutLatency(event) {
  const notes = event.get('annotations');
  for (const key of [...(notes?.keys() ?? [])]) if (key.startsWith('apiserver.latency.k8s.io/') && !key.endsWith('/total')) notes.delete(key);
  return event;
}

/** On the second host, the group with the most in its events stands for the three with the same requests. */
const shownBy = (name) => !(isWasm && ['metadata', 'request'].includes(name));

for (const [name, group] of groups) {
  if (!shownBy(name)) continue;
  test(`${name}: ${group.get('doc')}`, async (t) => {
    const logged = await Logged.start(group);
    try {
      for (const setup of recordings.get('setup')) {
        const answer = await logged.send(setup, false);
        assert.ok(answer.status < 300, `${setup.get('path')}: ${answer.status} ${answer.text}`);
      }
      await pause(20);
      await logged.lines(0);
      for (const [index, step] of group.get('steps').entries()) {
        const whole = step.has('n') ? recordings.get('requests')[Number(step.get('n').text)] : step;
        const request = whole.get('request');
        const title = `${name}/${step.get('n')?.text ?? index}`;
        await t.test(`${title} ${whole.get('note') ?? `${request.get('method')} ${request.get('path')}`}`, async () => {
          const expected = expectedOf(step) ?? [];
          const answer = await logged.send(request, whole.get('clientClosed') === true);
          remember(answer, logged.bindings);
          if (request.get('path').endsWith('/customresourcedefinitions')) await pause(300); // until it is established
          const lines = await logged.lines(expected.length);
          const differences = [];
          if (String(answer.status) !== step.get('status').text) differences.push(`status ${answer.status}, not ${step.get('status').text}: ${answer.text.slice(0, 300)}`);
          if (lines.length !== expected.length) differences.push(`${lines.length} events, not ${expected.length}:\n${lines.join('\n').slice(0, 1500)}`);
          for (let i = 0; i < Math.min(lines.length, expected.length); i++) {
            differences.push(...compare(expected[i], lines[i], logged.bindings, title).map((one) => `event ${i} ${one}`));
          }
          const known = kExceptions.some((one) => one.step?.test(title) && one.whole && (!one.wasm || isWasm));
          if (known) assert.notEqual(differences.length, 0, `${title} is like the recording: remove it from exceptions.mjs`);
          else assert.equal(differences.join('\n'), '');
        });
      }
    } finally {
      await logged.server.stop();
    }
  });
}

/** Keeps what later requests send back: continue tokens and tokens of accounts. */
function remember({ text }, bindings) {
  const next = /"continue":"([A-Za-z0-9_-]+)"/.exec(text)?.[1];
  if (next && !bindings.get('continue:1')) bindings.set('continue:1', next);
  const token = /"token":"([\w-]+\.[\w-]+\.[\w-]+)"/.exec(text)?.[1];
  if (token && !bindings.get('token:1')) bindings.set('token:1', token);
}

for (const bad of recordings.get('badPolicies')) {
  test(`policy: ${bad.get('name')}`, async () => {
    const cwd = mkdtempSync(join(folder, 'policy-'));
    if (bad.has('policy')) writeFileSync(join(cwd, 'p.yaml'), bad.get('policy').get('text'));
    const flags = plain(bad.get('flags')).map((flag) => flag.replace('x.log', join(cwd, 'x.log')));
    const there = process.cwd();
    process.chdir(cwd);
    try {
      if (bad.get('starts')) {
        const server = await serve(binary, '--controllers', 'none', ...flags);
        await server.stop();
        for (const line of bad.get('logged') ?? []) assert.ok(server.output.stderr.includes(line), server.output.stderr);
        return;
      }
      const { code, stderr } = await run(binary, ['serve', '--listen', '127.0.0.1:0', ...flags]);
      const own = kExceptions.find((one) => one.policy === bad.get('name'));
      // The recorded texts went through a logger that doubles backslashes.
      assert.equal(stderr, own?.error ?? `tabernetes: ${bad.get('error').replaceAll('\\\\', '\\')}\n`);
      assert.equal(code, own?.code ?? 1);
    } finally {
      process.chdir(there);
    }
  });
}
