// Tests parseSelector, parseFieldSelector and matches: selectors as the server reads them, without a server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCluster, kReproducible, matches, parseFieldSelector, parseSelector } from './support.mjs';

const kLabelMistake = 'unable to parse requirement: found \'b\', expected: in, notin, =, ==, !=, gt, lt';

test('a label selector is its terms, sorted by key, and prints in canonical form', () => {
  const selector = parseSelector(' tier notin (web,db,web), app==shop,!old,new , n>3');
  assert.equal(selector.kind, 'labels');
  assert.deepEqual(selector.terms, [
    { key: 'app', operator: '==', values: ['shop'] },
    { key: 'n', operator: 'gt', values: ['3'] },
    { key: 'new', operator: 'exists', values: [] },
    { key: 'old', operator: '!', values: [] },
    { key: 'tier', operator: 'notin', values: ['db', 'web'] },
  ]);
  assert.equal(String(selector), 'app==shop,n>3,new,!old,tier notin (db,web)');
  assert.deepEqual(parseSelector(String(selector)), selector);
  assert.deepEqual(parseSelector('').terms, []);
});

test('a field selector is its terms, unescaped', () => {
  const selector = parseFieldSelector('status.phase!=Running,metadata.name==a\\,b');
  assert.equal(selector.kind, 'fields');
  assert.deepEqual(selector.terms, [
    { key: 'metadata.name', operator: '=', values: ['a,b'] },
    { key: 'status.phase', operator: '!=', values: ['Running'] },
  ]);
  assert.equal(String(selector), 'metadata.name=a\\,b,status.phase!=Running');
});

test('mistakes have the server\'s words', async () => {
  const cluster = await createCluster(kReproducible);
  for (const [parse, parameter, text, message] of [
    [parseSelector, 'labelSelector', 'a b', kLabelMistake],
    [parseSelector, 'labelSelector', 'a,', "found '', expected: identifier after ','"],
    [parseSelector, 'labelSelector', 'a in (b', "unable to parse requirement: found '', expected: ',' or ')'"],
    [parseFieldSelector, 'fieldSelector', 'foo', "invalid selector: 'foo'; can't understand 'foo'"],
    [parseFieldSelector, 'fieldSelector', 'a=b\\x', 'invalid field selector: invalid escape sequence: \\x'],
  ]) {
    assert.throws(() => parse(text), { name: 'Error', message });
    const response = await cluster.fetch(`/api/v1/pods?${parameter}=${encodeURIComponent(text)}`);
    assert.deepEqual([response.status, (await response.json()).message], [400, message]);
  }
  assert.throws(() => matches('a b', {}), { message: kLabelMistake });
  cluster.dispose();
});

test('labels match, of a map and of an object', () => {
  const labels = { app: 'shop', n: '4' };
  for (const [selector, result] of [
    ['', true],
    ['app', true],
    ['!app', false],
    ['app in (shop,other),n>3,n<5', true],
    ['app!=shop', false],
    ['old!=x', true],
    ['old', false],
  ]) {
    assert.equal(matches(selector, labels), result, selector);
    assert.equal(matches(parseSelector(selector), { metadata: { labels } }), result, selector);
  }
  assert.equal(matches('!app', { kind: 'Pod', metadata: { name: 'bare' } }), true);
  assert.equal(matches('metadata=x', { metadata: 'x' }), true); // a label of that name
});

test('fields match: those of the resource, or paths where no kind is known', () => {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a', namespace: 'n' },
    spec: { nodeName: 'node-1' },
    status: { podIPs: [{ ip: '10.0.0.1' }] },
  };
  const { kind, apiVersion, ...item } = pod;
  for (const [selector, object, result] of [
    ['metadata.name=a,spec.nodeName=node-1', pod, true],
    ['spec.host=node-1', pod, true], // its old name
    ['status.podIP=10.0.0.1,spec.hostNetwork=false', pod, true],
    ['status.phase=', pod, true],
    ['metadata.namespace!=n', pod, false],
    ['spec.nodeName=node-1', item, true],
    ['spec.size=3,spec.new=true', { metadata: {}, spec: { size: 3, new: true } }, true],
    ['reason=Started,type=', { reason: 'Started' }, true],
  ]) {
    assert.equal(matches(parseFieldSelector(selector), object), result, selector);
  }
  assert.throws(() => matches(parseFieldSelector('spec.color=red'), pod), {
    message: 'field label not supported: spec.color',
  });
});

test('they select what the server selects', async () => {
  const load = ['web', 'api', 'db'].map((app, i) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `pod-${i}`, labels: { app, n: String(i) } },
    spec: { nodeName: `node-${i % 2}`, containers: [{ name: 'c', image: 'c' }] },
  }));
  const cluster = await createCluster({ ...kReproducible, load });
  const names = async (query) =>
    (await (await cluster.fetch(`/api/v1/pods?${query}`)).json()).items.map(({ metadata }) => metadata.name);
  const all = (await (await cluster.fetch('/api/v1/pods')).json()).items;
  const mine = (selector) => all.filter((pod) => matches(selector, pod)).map(({ metadata }) => metadata.name);
  assert.equal(all.length, 3);
  for (const text of ['app notin (web)', 'n>0', '!n']) {
    assert.deepEqual(await names(`labelSelector=${encodeURIComponent(text)}`), mine(text), text);
  }
  const fields = parseFieldSelector('spec.nodeName!=node-1,status.phase=Pending');
  assert.deepEqual(await names(`fieldSelector=${encodeURIComponent(fields)}`), mine(fields));
  assert.deepEqual(mine(fields), ['pod-0', 'pod-2']);
  cluster.dispose();
});
