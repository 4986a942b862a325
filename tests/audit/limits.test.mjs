// The limits on requests in flight against what a real kube-apiserver answered (limits.json; README.md has its format): the flow
// schema and level of each caller, 429 with its audit events, the pages of /debug/api_priority_and_fairness/, the metrics. Rules of
// faults let requests take time, which stands still until it is moved.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Comparison } from '../conformance/runner/compare.mjs';
import { parseJson } from '../conformance/runner/ordered_json.mjs';
import { Bindings } from '../conformance/runner/placeholders.mjs';
import { binary as shipped, serve } from '../mock-server/server.mjs';
import { kLimitExceptions } from './exceptions.mjs';

const binary = process.env.TABERNETES_BINARY ?? shipped;
const text = readFileSync(new URL('limits.json', import.meta.url), 'utf8');
const recorded = JSON.parse(text);
const ordered = parseJson(text); // with the order of members
const folder = mkdtempSync(join(tmpdir(), 'tabernetes-limits-'));
after(() => rmSync(folder, { recursive: true }));

const kPatience = 3000; // milliseconds for an event that comes after the answer
const kFlowControl = '/apis/flowcontrol.apiserver.k8s.io/v1';
// Those of the recording. Levels that lend all of their few seats get one only after ten seconds.
const kFew = ['--max-requests-inflight', '2', '--max-mutating-requests-inflight', '1'];
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

writeFileSync(join(folder, 'tokens.csv'), 'admin-token,admin,admin-uid,"system:masters"\nviewer-token,viewer,viewer-uid,"viewers"\n');
writeFileSync(join(folder, 'policy.yaml'), JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', omitStages: ['RequestReceived'], rules: [{ level: 'Metadata' }] }));
writeFileSync(
  join(folder, 'faults.yaml'),
  JSON.stringify([
    { match: { verb: 'create', namespace: 'hook' }, delay: '60s' },
    { match: { verb: 'get', namespace: 'hook' }, delay: '60s' },
  ]),
);

class LimitedServer {
  static async start(name, ...flags) {
    const own = new LimitedServer();
    own.log = join(folder, `${name}.log`);
    own.read = 0;
    const files = ['--token-auth-file', 'tokens.csv', '--audit-policy-file', 'policy.yaml', '--faults', 'faults.yaml'].map((flag) => (flag.startsWith('--') ? flag : join(folder, flag)));
    const still = ['--controllers', 'none', '--scheduler=false', '--nodes', '0', '--seed', '1', '--clock', '2026-01-01T00:00:00Z', '--disable-admission-plugins', 'ServiceAccount'];
    own.server = await serve(binary, ...still, '--authorization-mode', 'RBAC', ...files, '--audit-log-path', own.log, ...flags);
    for (const namespace of ['team', 'hook']) await own.make('/api/v1/namespaces', { metadata: { name: namespace } });
    await own.make('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name: 'v' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'User', name: 'viewer' }],
    });
    return own;
  }

  async make(path, body) {
    const answer = await this.send({ method: 'POST', path, body });
    assert.equal(answer.status, 201, answer.text);
    return JSON.parse(answer.text);
  }

  /** Sends a request; as admin unless it says otherwise. */
  send({ method = 'GET', path, headers = {}, body, user, impersonated }) {
    const all = { accept: 'application/json', authorization: 'Bearer admin-token', 'user-agent': 'golden/1.0' };
    if (body !== undefined || method === 'POST') all['content-type'] = 'application/json';
    if (user === 'viewer') all.authorization = 'Bearer viewer-token';
    if (user === 'anonymous') all.authorization = null;
    if (impersonated) all['impersonate-user'] = impersonated;
    for (const [name, value] of Object.entries(headers)) all[name.toLowerCase()] = value;
    const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
    return new Promise((resolve, reject) => {
      const request = http.request({ host: '127.0.0.1', port: this.server.port, method, path, headers: sent }, async (response) => {
        const pieces = [];
        for await (const piece of response) pieces.push(piece);
        resolve({ status: response.statusCode, headers: response.headers, text: Buffer.concat(pieces).toString() });
      });
      request.on('error', reject);
      request.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  /** Sends a request that takes time, and waits until the server has it. */
  async begin(request) {
    const answer = this.send(request).catch(() => undefined); // the server may end first
    await pause(100);
    return { answer };
  }

  async advance(span) {
    const answer = await this.send({ method: 'POST', path: '/-/tabernetes/clock', body: { advance: span } });
    assert.equal(answer.status, 200, answer.text);
  }

  /** Returns the lines of the audit log since the last call; waits until there are as many as wanted. */
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

  /** Returns the names of the schemas and levels by uid. */
  async names() {
    const names = new Map();
    for (const kind of ['flowschemas', 'prioritylevelconfigurations']) {
      const { items } = JSON.parse((await this.send({ path: `${kFlowControl}/${kind}` })).text);
      for (const { metadata } of items) names.set(metadata.uid, metadata.name);
    }
    return names;
  }
}

const schemaOf = (answer, names) => names.get(answer.headers['x-kubernetes-pf-flowschema-uid']) ?? null;
const levelOf = (answer, names) => names.get(answer.headers['x-kubernetes-pf-prioritylevel-uid']) ?? null;

/** Returns what differs between the recorded answer and ours, with its audit events. */
function differences(step, orderedStep, answer, lines, bindings) {
  const found = [];
  if (answer.status !== step.status) found.push(`status ${answer.status}, not ${step.status}`);
  for (const [name, value] of Object.entries(step.headers)) {
    if (step.status === 200 && name === 'content-length') continue; // versions are numbers of other lengths
    const comparison = new Comparison(bindings, { unordered: false, anyValue: () => false });
    comparison.text(value, answer.headers[name] ?? 'none', name);
    found.push(...comparison.differences.map(({ path, expected, got }) => `${path}: ${expected}, got ${got}`));
  }
  if (step.status === 429) assert.equal(answer.text, step.body);
  const events = orderedStep.get('auditEvents');
  if (lines.length !== events.length) found.push(`${lines.length} events, not ${events.length}:\n${lines.join('\n')}`);
  for (let i = 0; i < Math.min(lines.length, events.length); i++) {
    const comparison = new Comparison(bindings, { unordered: false, anyValue: () => false });
    comparison.value(withoutLatency(events[i]), withoutLatency(parseJson(lines[i])), `event ${i}`);
    found.push(...comparison.differences.map(({ path, expected, got }) => `${path}: ${expected}, got ${got}`));
  }
  return found.join('\n');
}

// Where the time of a slow request went depends on the machine; the whole and the wait in the queue are written.
function withoutLatency(event) {
  const notes = event.get('annotations');
  const own = ['apiserver.latency.k8s.io/total', 'apiserver.latency.k8s.io/apf-queue-wait'];
  for (const key of [...(notes?.keys() ?? [])]) if (key.startsWith('apiserver.latency.k8s.io/') && !own.includes(key)) notes.delete(key);
  return event;
}

test('each caller has the flow schema and the level of a real server', async (t) => {
  const own = await LimitedServer.start('classification');
  try {
    const names = await own.names();
    await own.make('/api/v1/namespaces/team/serviceaccounts', { metadata: { name: 'bot' } });
    const { status } = await own.make('/api/v1/namespaces/team/serviceaccounts/bot/token', { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} });
    for (const { caller, request, status: code, flowSchema, priorityLevel } of recorded.classification) {
      await t.test(caller, async () => {
        const headers = Object.fromEntries(Object.entries(request.headers ?? {}).map(([name, value]) => [name, value === 'Bearer {{token:1}}' ? `Bearer ${status.token}` : value]));
        const sending = own.send({ ...request, headers });
        if (request.path.includes('watch=1')) await pause(100).then(() => own.advance('1s'));
        const answer = await sending;
        assert.deepEqual([answer.status, schemaOf(answer, names), levelOf(answer, names)], [code, flowSchema, priorityLevel], answer.text.slice(0, 300));
      });
    }
  } finally {
    await own.server.stop();
  }
});

test('the levels and schemas that are there from the start', async () => {
  const own = await LimitedServer.start('objects');
  try {
    const list = async (kind) => JSON.parse((await own.send({ path: `${kFlowControl}/${kind}` })).text).items;
    const levels = (await list('prioritylevelconfigurations')).map(({ metadata: { name }, spec }) => ({ name, spec }));
    assert.deepEqual(levels, recorded.priorityLevels);
    const schemas = (await list('flowschemas'))
      .map(({ metadata: { name }, spec }) => ({ name, precedence: spec.matchingPrecedence, level: spec.priorityLevelConfiguration.name, distinguisher: spec.distinguisherMethod?.type ?? null, rules: spec.rules }))
      .sort((a, b) => a.precedence - b.precedence || (a.name < b.name ? -1 : 1));
    assert.deepEqual(schemas, recorded.flowSchemas);
  } finally {
    await own.server.stop();
  }
});

/** Makes levels, those of the recording unless others are given, each with a schema for one user. */
async function addLevels(own, levels = recorded.addedLevels) {
  for (const { name, spec } of levels) {
    await own.make(`${kFlowControl}/prioritylevelconfigurations`, { metadata: { name }, spec });
    const user = { 'queue-one': 'que', 'queue-two': 'tim', 'reject-one': 'rej' }[name];
    const everything = {
      resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
      nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
    };
    await own.make(`${kFlowControl}/flowschemas`, {
      metadata: { name: `for-${user}` },
      spec: { matchingPrecedence: 50, priorityLevelConfiguration: { name }, rules: [{ subjects: [{ kind: 'User', user: { name: user } }], ...everything }] },
    });
  }
}

const slowCreate = (impersonated) => ({ method: 'POST', path: '/api/v1/namespaces/hook/configmaps', body: { metadata: { generateName: 'slow-' } }, impersonated });

/** Returns the samples of a page of metrics: [{ name, labels, value }], and the types of families. */
function metricsOf(page) {
  const types = new Map([...page.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type]));
  const samples = [...page.matchAll(/^([a-z_]+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name, labels = '', value]) => ({ name, labels: Object.fromEntries([...labels.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, label]) => [key, label])), value }));
  return { types, samples };
}

/** Compares our families with those recorded: type, labels, buckets and the values of labels. */
function compareMetrics(page, families) {
  const { types, samples } = metricsOf(page);
  const found = [];
  for (const { name, type, labels, buckets, values } of families) {
    const exception = kLimitExceptions.find(({ family }) => family === name);
    if (exception?.missing) {
      if (types.has(name)) found.push(`${name} is there: remove it from exceptions.mjs`);
      continue;
    }
    if (types.get(name) !== type) {
      found.push(`${name}: ${types.get(name) ?? 'missing'}, not ${type}`);
      continue;
    }
    const ours = samples.filter((sample) => sample.name === name || sample.name === `${name}_bucket`);
    for (const sample of ours) {
      const keys = Object.keys(sample.labels).filter((key) => key !== 'le').sort();
      assert.deepEqual(keys, labels, name);
    }
    if (buckets) assert.deepEqual([...new Set(ours.map((sample) => sample.labels.le))], buckets, name);
    if (exception?.labels) continue;
    for (const [label, wanted] of Object.entries(values ?? {})) {
      const got = [...new Set(ours.map((sample) => sample.labels[label]))].sort();
      if (wanted.some((value) => !got.includes(value))) found.push(`${name} ${label}: ${got}, not ${wanted}`);
    }
  }
  return found.join('\n');
}

const columns = (page) => page.split('\n')[0].split(/, +/);
const rowsOf = (page, pattern) => page.split('\n').filter((line) => pattern.test(line));

test('by priority and fairness: answers 429, their events, the pages and the metrics', async (t) => {
  const own = await LimitedServer.start('fairness', ...kFew);
  try {
    await addLevels(own);
    const names = await own.names();
    const bindings = new Bindings();
    const orderedSteps = ordered.get('priorityAndFairness').get('rejections');
    const run = (index, meanwhile = async () => {}) =>
      t.test(recorded.priorityAndFairness.rejections[index].note, async () => {
        const step = recorded.priorityAndFairness.rejections[index];
        await own.lines(0);
        const sending = own.send({ ...step.request, ...(step.request.method === 'POST' && { body: {} }) });
        await meanwhile();
        const answer = await sending;
        const lines = await own.lines(step.auditEvents.length);
        assert.equal(differences(step, orderedSteps[index], answer, lines, bindings), '');
        const { flowSchema, priorityLevel } = step.resolved;
        assert.deepEqual([schemaOf(answer, names), levelOf(answer, names)], [flowSchema.split('/')[1], priorityLevel.split('/')[1]]);
      });
    const page = async (name) => (await own.send({ path: `/debug/api_priority_and_fairness/${name}` })).text;
    const waits = (user) => own.begin({ path: '/api/v1/namespaces/team/configmaps', impersonated: user });
    const after = (span) => () => pause(100).then(() => own.advance(span));

    await own.begin(slowCreate('rej'));
    for (const index of [0, 1, 2, 3, 4]) await run(index);
    await own.begin(slowCreate('que'));
    const queued = await waits('que');
    await run(5);
    await own.begin(slowCreate('tim'));
    await t.test('pages', async () => {
      const waiting = await waits('tim');
      const { dumps } = recorded;
      const levels = await page('dump_priority_levels');
      // How often the exempt level was used depends on the test.
      const alike = (dump) => dump.replace(/^(exempt,(?: +\w+,){5} +)\d+, +/m, '$1');
      assert.equal(alike(levels), alike(dumps.dump_priority_levels.text));
      const queues = await page('dump_queues');
      assert.equal(queues.split('\n')[0], dumps.dump_queues.text.split('\n')[0]);
      assert.equal(queues.trim().split('\n').length, dumps.dump_queues.lineCount);
      await waits('tim');
      const withoutTime = (dump) => rowsOf(dump, /^queue-two/).map((line) => line.replace(/[\d.]+ss, +2/, '2'));
      assert.deepEqual(withoutTime(await page('dump_queues')), withoutTime(dumps.dump_queues.text));
      assert.deepEqual(columns(await page('dump_requests')), dumps.dump_requests.header);
      const cells = (line) => line.split(',').map((cell) => cell.trim());
      const requests = await page('dump_requests?includeRequestDetails=1');
      assert.deepEqual(columns(requests), dumps['dump_requests?includeRequestDetails=1'].header);
      for (const level of ['queue-one', 'reject-one', 'exempt']) {
        const rows = (dump) => rowsOf(dump, new RegExp(`^${level},`)).map((line) => cells(line).map((cell) => cell.replace(/^2\d{3}-.*Z$/, '{{nanoTime}}')));
        assert.deepEqual(rows(requests), rows(dumps['dump_requests?includeRequestDetails=1'].text), level);
      }
      const nope = await own.send({ path: '/debug/api_priority_and_fairness/nope' });
      assert.deepEqual([nope.status, nope.text], [dumps.nope.status, dumps.nope.text]);
      // A level that lends its only seat gets it back after a period, as it wants it.
      const anonymous = await own.begin({ path: '/debug/api_priority_and_fairness/dump_queues', user: 'anonymous' });
      await own.advance('10s');
      assert.equal((await anonymous.answer).status, dumps['dump_queues, no credentials'].status);
      await own.advance('5s'); // the others have waited long enough
      assert.equal((await waiting.answer).status, 429);
      assert.equal((await queued.answer).status, 429);
    });
    await run(6, after('15s'));
    await run(7, after('501ms'));
    await own.begin({ path: '/api/v1/namespaces/team/configmaps?watch=1' });
    await t.test('metrics', async () => {
      const answer = await own.send({ path: '/metrics' });
      assert.equal(compareMetrics(answer.text, recorded.metrics.withPriorityAndFairness), '');
    });
  } finally {
    await own.server.stop();
  }
});

test('a list of large objects waits for several seats, and the pages and metrics say so', async () => {
  // A seat for each share of the usual levels and of one more, of which a request gets 15 %.
  const own = await LimitedServer.start('wide', '--max-requests-inflight', '200', '--max-mutating-requests-inflight', '65');
  try {
    const [queue] = recorded.addedLevels;
    const spec = { ...queue.spec, limited: { ...queue.spec.limited, nominalConcurrencyShares: 20 } };
    await addLevels(own, [{ ...queue, spec }]);
    await own.make('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name: 'q' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'User', name: 'que' }],
    });
    for (const name of ['a', 'b', 'c']) await own.make('/api/v1/namespaces/team/configmaps', { metadata: { name }, data: { a: 'x'.repeat(150_000) } });
    const page = async (name) => (await own.send({ path: `/debug/api_priority_and_fairness/${name}` })).text;
    const list = { path: '/api/v1/namespaces/team/configmaps', impersonated: 'que' };
    assert.equal((await own.send(list)).status, 200);
    const slow = [];
    for (let i = 0; i < 18; i++) slow.push(await own.begin(slowCreate('que')));
    const narrow = await own.send({ ...list, path: `${list.path}/a` });
    assert.equal(narrow.status, 200);
    const waiting = await own.begin(list);
    const cells = (dump) => rowsOf(dump, /^queue-one,/).map((line) => line.split(',').map((cell) => cell.trim()));
    const [[, , pending, executing, inUse, , initialSum, mostSum, work]] = cells(await page('dump_queues'));
    assert.deepEqual([pending, executing, inUse, initialSum, mostSum, work], ['1', '18', '18', '3', '3', '0.00900000ss']);
    const waits = cells(await page('dump_requests')).find((row) => row[3] === '0');
    assert.deepEqual([waits[6], waits[7], waits[8], waits[9]], ['3', '0', '0s', '0001-01-01T00:00:00Z']);
    const { samples } = metricsOf((await own.send({ path: '/metrics' })).text);
    const of = (name) => samples.find((sample) => sample.name === `apiserver_flowcontrol_${name}` && sample.labels.priority_level === 'queue-one')?.value;
    assert.equal(of('current_inqueue_seats'), '3');
    assert.equal(of('current_executing_seats'), '18');
    assert.equal(of('request_dispatch_no_accommodation_total'), '1');
    assert.equal(of('work_estimated_seats_sum'), String(3 + 18 + 1 + 3));
    await own.advance('15s');
    assert.equal((await waiting.answer).status, 429);
    await own.advance('45s');
    for (const { answer } of slow) assert.equal((await answer).status, 201);
    assert.equal((await own.send(list)).status, 200);
  } finally {
    await own.server.stop();
  }
});

test('without priority and fairness: answers 429, their events, and the metrics', async (t) => {
  const own = await LimitedServer.start('inflight', ...kFew, ...recorded.maxInFlight.flags);
  try {
    const bindings = new Bindings();
    for (const [index, step] of recorded.maxInFlight.steps.entries()) {
      if (index === 0) await own.begin({ ...slowCreate(), user: 'viewer' });
      if (index === 7) {
        for (const name of ['a', 'b']) await own.begin({ path: `/api/v1/namespaces/hook/configmaps/${name}`, user: 'viewer' });
      }
      await t.test(step.note, async () => {
        await own.lines(0);
        const sending = own.send({ ...step.request, ...(step.request.path.endsWith('?dryRun=All') && { body: { metadata: { name: 'z' }, data: { a: '1' } } }) });
        if (step.request.path.includes('watch=1')) await pause(100).then(() => own.advance('1s'));
        const answer = await sending;
        const lines = await own.lines(step.auditEvents.length);
        assert.equal(differences(step, ordered.get('maxInFlight').get('steps')[index], answer, lines, bindings), '');
        assert.equal(answer.headers['x-kubernetes-pf-flowschema-uid'], undefined);
      });
    }
    await t.test('pages and metrics', async () => {
      await own.begin({ path: '/api/v1/namespaces/team/configmaps?watch=1' });
      for (const [name, { status, body }] of Object.entries(recorded.maxInFlight.dumps)) {
        const answer = await own.send({ path: `/debug/api_priority_and_fairness/${name}` });
        assert.deepEqual([answer.status, answer.text], [status, body]);
      }
      const answer = await own.send({ path: '/metrics' });
      assert.equal(compareMetrics(answer.text, recorded.metrics.without), '');
    });
  } finally {
    await own.server.stop();
  }
});
