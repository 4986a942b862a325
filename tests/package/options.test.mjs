// Tests that a wrong option is refused, and never ignored.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listen } from '../../dist/node.js';
import { fixtures, route } from '../../dist/playwright.js';
import { applyPatch, createCluster, decode, encode, serverSideApply } from './support.mjs';

test('an unknown option is refused, with the name that is nearest', async () => {
  for (const [options, message] of [
    [{ nods: 3 }, 'tabernetes: there is no option "nods", did you mean "nodes"?'],
    [{ controller: 'none' }, 'tabernetes: there is no option "controller", did you mean "controllers"?'],
    [{ featuregates: {} }, 'tabernetes: there is no option "featuregates", did you mean "featureGates"?'],
    [{ persit: { indexedDB: 'shop' } }, 'tabernetes: there is no option "persit", did you mean "persist"?'],
    [{ persist: { indexedDB: 'shop' }, nods: 3 }, 'tabernetes: there is no option "nods", did you mean "nodes"?'],
    [{ kubernetesVersion: '1.30' }, 'tabernetes: there is no option "kubernetesVersion"'],
  ]) {
    await assert.rejects(createCluster(options), { name: 'TypeError', message });
  }
});

test('options that are no object are refused', async () => {
  await assert.rejects(createCluster(null), TypeError);
  await assert.rejects(createCluster('none'), TypeError);
});

test('every call refuses what it does not take, and names what is nearest', async () => {
  const cluster = await createCluster({ controllers: 'none', scheduler: false });
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
  const pods = '/api/v1/pods';
  for (const [call, message] of [
    [() => cluster.as({ user: 'jane', group: ['a'] }), 'an identity takes no "group", did you mean "groups"?'],
    [() => cluster.apply(namespace, { forced: true }), 'apply takes no "forced", did you mean "force"?'],
    [() => cluster.wait(pods, undefined, { timeot: 1 }), 'wait takes no "timeot", did you mean "timeout"?'],
    [() => cluster.settle({ witin: 1 }), 'settle takes no "witin", did you mean "within"?'],
    [() => cluster.requests({ verbs: 'list' }), 'a match of requests takes no "verbs", did you mean "verb"?'],
    [() => cluster.requests.next({ resources: 'pods' }), 'a match of requests takes no "resources", did you mean "resource"?'],
    [() => cluster.requests.next({}, { patience: 1 }), 'requests.next takes no "patience"'],
    [() => cluster.request({ path: '/version' }), 'a request has a target, such as /version'],
    [() => applyPatch(namespace, {}, { contentTyp: 'application/merge-patch+json' }), 'applyPatch takes no "contentTyp", did you mean "contentType"?'],
    [() => serverSideApply(null, namespace, { manager: 'me', forced: true }), 'serverSideApply takes no "forced", did you mean "force"?'],
    [() => encode(namespace, 'application/yaml', { fieldvalidation: 'Strict' }), 'encode takes no "fieldvalidation", did you mean "fieldValidation"?'],
    [() => decode('{}', 'application/json', 'Strict'), 'decode takes an object, not Strict'],
    [() => listen(cluster, { prt: 8001 }), 'listen takes no "prt", did you mean "port"?'],
    [() => fixtures({ orgin: 'http://localhost' }), 'there is no option "orgin", did you mean "origin"?'],
    [() => route({}, cluster, { prefx: '/k8s' }), 'a route takes no "prefx", did you mean "prefix"?'],
  ]) {
    await assert.rejects(async () => call(), { name: 'TypeError', message: `tabernetes: ${message}` });
  }
  cluster.dispose();
});

test('requests are found by any of their parts', async () => {
  const cluster = await createCluster({ controllers: 'none', scheduler: false });
  await cluster.fetch('/api/v1/pods?limit=1');
  await cluster.fetch('/apis/apps/v1/namespaces/shop/deployments/web/scale');
  for (const [match, count] of [[{ method: 'GET' }, 2], [{ target: '/api/v1/pods?limit=1' }, 1], [{ group: 'apps' }, 1], [{ subresource: 'scale' }, 1], [{ subresource: undefined }, 2]]) {
    assert.equal(cluster.requests(match).length, count, JSON.stringify(match));
  }
  cluster.dispose();
});
