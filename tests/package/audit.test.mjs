// Tests cluster.audit. tests/audit compares the events themselves with those of a real server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configMap, create, createCluster, kConfigMaps, kReproducible } from './support.mjs';

let cluster;
test.beforeEach(async () => {
  cluster = await createCluster(kReproducible);
});
test.afterEach(() => cluster.dispose());

const words = ({ stage, verb, requestURI, responseStatus, level }) => `${level} ${stage} ${verb} ${requestURI} ${responseStatus?.code}`;

test('an event for each request, before its answer arrives', async () => {
  const events = [];
  const end = cluster.audit((event) => events.push(event));
  const response = await create(cluster, configMap('one'));
  assert.deepEqual(events.map(words), [`Metadata ResponseComplete create ${kConfigMaps} 201`]);
  assert.equal(events[0].auditID, response.headers.get('audit-id'));
  assert.deepEqual(events[0].objectRef, { resource: 'configmaps', namespace: 'default', name: 'one', apiVersion: 'v1' });
  await cluster.as({ user: 'jane' }).fetch(`${kConfigMaps}/two`);
  assert.equal(events[1].user.username, 'jane');
  assert.equal(events[1].responseStatus.reason, 'NotFound');
  end();
  end();
  await cluster.fetch('/version');
  assert.equal(events.length, 2);
});

test('a policy as an object or a text; the log of a fork and of a second call', async () => {
  const first = [];
  const second = [];
  const end = cluster.audit((event) => first.push(event), { policy: { rules: [{ level: 'RequestResponse', verbs: ['create'] }] } });
  await create(cluster, configMap('one'));
  await cluster.fetch(kConfigMaps);
  assert.deepEqual(first.map(words), [`RequestResponse RequestReceived create ${kConfigMaps} undefined`, `RequestResponse ResponseComplete create ${kConfigMaps} 201`]);
  assert.deepEqual(first[1].requestObject.data, { key: 'value' });
  assert.equal(first[1].responseObject.metadata.name, 'one');
  const fork = cluster.fork();
  await create(fork, configMap('two'));
  fork.dispose();
  assert.equal(first.length, 2);
  cluster.audit((event) => second.push(event), { policy: 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata, nonResourceURLs: [/version]}]\n' });
  end(); // it has ended: no effect
  await cluster.fetch('/version');
  await cluster.fetch(kConfigMaps);
  assert.equal(first.length, 2);
  assert.deepEqual(second.map(words), ['Metadata RequestReceived get /version undefined', 'Metadata ResponseComplete get /version 200']);
});

test('a policy that is wrong', async () => {
  const events = [];
  cluster.audit((event) => events.push(event));
  assert.throws(() => cluster.audit(() => {}, { policy: { rules: [{ level: 'Everything' }] } }), { message: /^tabernetes: .*rules\[0\]\.level: Unsupported value: "Everything"/ });
  assert.throws(() => cluster.audit(() => {}, { rules: [] }), { message: 'tabernetes: audit takes no "rules"' });
  await cluster.fetch('/version');
  assert.equal(events.length, 1); // the earlier log goes on
});
