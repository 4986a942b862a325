// The code that the page writes for an exchange does the same request: curl, kubectl and fetch are run.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { kubectl as findKubectl } from '../../tools/kubectl.mjs';
import { pageModule } from '../concepts/tour_code.mjs';
import { startServer } from './server.mjs';

const run = promisify(execFile);
const { snippet } = await pageModule('api/snippets.ts');
const kKinds = [
  { group: '', version: 'v1', name: 'configmaps', kind: 'ConfigMap' },
  { group: 'apps', version: 'v1', name: 'deployments', kind: 'Deployment' },
];
const collection = '/api/v1/namespaces/default/configmaps';

const exchange = (method, target, requestHeaders = {}, requestBody = '', more = {}) => ({ method, target, requestHeaders: Object.entries(requestHeaders), requestBody, responseHeaders: [], responseBody: '', ...more });
const written = (form, ...request) => snippet(form, exchange(...request), 'http://127.0.0.1:8001', kKinds);

let server;
before(async () => void (server = await startServer()));
after(() => server.stop());

const shell = async (text) => (await run('bash', ['-c', text.replaceAll('kubectl ', `'${findKubectl()}' --kubeconfig '${server.kubeconfig}' `)])).stdout;
const text = (form, ...request) => snippet(form, exchange(...request), server.url, kKinds);

test('curl, kubectl and fetch create, read, patch, apply and delete', async () => {
  const json = { 'content-type': 'application/json', accept: 'application/json' };
  for (const [form, name] of [['curl', 'a'], ['kubectl', 'b']]) {
    const body = JSON.stringify({ metadata: { name, annotations: { note: "it's" } }, data: { k: '1' } });
    assert.equal(JSON.parse(await shell(text(form, 'POST', collection, json, body))).metadata.name, name);
    assert.equal(JSON.parse(await shell(text(form, 'GET', `${collection}/${name}`, { accept: 'application/json' }))).metadata.annotations.note, "it's");
    await shell(text(form, 'PATCH', `${collection}/${name}`, { 'content-type': 'application/merge-patch+json' }, '{"data":{"k":"2"}}'));
    await shell(text(form, 'PATCH', `${collection}/${name}?fieldManager=me`, { 'content-type': 'application/apply-patch+yaml' }, `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {l: "1"}\n`));
    const now = await (await fetch(`${server.url}${collection}/${name}`)).json();
    assert.deepEqual(now.data, { k: '2', l: '1' });
    assert.ok(now.metadata.managedFields.some(({ manager, operation }) => manager === 'me' && operation === 'Apply'));
    await shell(text(form, 'DELETE', `${collection}/${name}`));
    assert.equal((await fetch(`${server.url}${collection}/${name}`)).status, 404);
  }
  const code = text('fetch', 'POST', collection, json, '{"metadata":{"name":"c"}}');
  const lines = [];
  await new Function('console', `return (async () => {${code}})()`)({ log: (...line) => lines.push(line) });
  assert.equal(lines[0][0], 201);
});

test('kubectl reads tables and watches as people write it', () => {
  const table = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' };
  assert.equal(written('kubectl', 'GET', '/apis/apps/v1/namespaces/shop/deployments?labelSelector=a%3Db', table), "kubectl get deployments.v1.apps -n shop -l 'a=b'\n");
  assert.equal(written('kubectl', 'GET', '/api/v1/pods?watch=true', {}), 'kubectl get pods -A -w\n');
});

test('client-node', () => {
  const head = "import { KubeConfig, KubernetesObjectApi } from '@kubernetes/client-node';\n\nconst config = new KubeConfig();\nconfig.loadFromDefault();\nconst client = KubernetesObjectApi.makeApiClient(config);\n";
  assert.equal(written('client-node', 'GET', '/apis/apps/v1/namespaces/shop/deployments/web'), `${head}console.log(await client.read({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop"}}));\n`);
  assert.equal(written('client-node', 'GET', collection), `${head}const list = await client.list('v1', 'ConfigMap', 'default');\nconsole.log(list.items.map(({ metadata }) => metadata?.name));\n`);
});

test('client-go', () => {
  const resource = '// client is a dynamic.Interface: dynamic.NewForConfig(config)\nresource := client.Resource(schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}).Namespace("shop")\n';
  assert.equal(
    written('client-go', 'GET', '/apis/apps/v1/namespaces/shop/deployments?limit=5&resourceVersion=7&resourceVersionMatch=Exact'),
    `${resource}list, err := resource.List(ctx, metav1.ListOptions{Limit: 5, ResourceVersion: "7", ResourceVersionMatch: metav1.ResourceVersionMatchExact})\n`,
  );
  assert.equal(
    written('client-go', 'PATCH', '/apis/apps/v1/namespaces/shop/deployments/web/scale?fieldManager=me', { 'content-type': 'application/merge-patch+json' }, '{}'),
    `${resource}patched, err := resource.Patch(ctx, "web", types.MergePatchType, []byte(\`{}\`), metav1.PatchOptions{FieldManager: "me"}, "scale")\n`,
  );
});

test('a fixture has the request and its answer', () => {
  const answer = { status: 200, responseHeaders: [['Content-Type', 'application/json'], ['Audit-Id', 'x']], responseBody: '{"kind":"ConfigMapList"}' };
  assert.deepEqual(JSON.parse(snippet('fixture', exchange('GET', collection, { accept: '*/*' }, '', answer), '', kKinds)), {
    request: { method: 'GET', target: collection, headers: { accept: '*/*' } },
    response: { status: 200, headers: { 'Content-Type': 'application/json' }, body: { kind: 'ConfigMapList' } },
  });
});
