// Aggregated APIs of a whole server, which the native binary and the npm package's command speak alike: a sample API server
// stands behind it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import http2 from 'node:http2';
import https from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import WebSocket from 'ws';
import { kubectl as findKubectl } from '../../tools/kubectl.mjs';
import { makeCertificate } from '../clients/certificates.mjs';
import { startExtensionServer } from './extension_server.mjs';
import { serve, waitFor } from './server.mjs';

const execute = promisify(execFile);
const kServices = '/apis/apiregistration.k8s.io/v1/apiservices';
const kApples = '/apis/fruit.example/v1/namespaces/default/apples';

/** Returns a port that nobody listens on. */
const freePort = () =>
  new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });

/** Defines the tests of `program`, the path of a command. */
export function aggregationOf(program) {
  describe('aggregated APIs', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tabernetes-aggregation-'));
    const inFolder = (name) => join(folder, name);
    const authority = makeCertificate({ commonName: 'extension-ca' });
    const { cert, key } = makeCertificate({ commonName: 'apples', names: ['apples.fruit.svc'], authority });
    let extension;
    let server;
    let ca;

    before(async () => {
      writeFileSync(inFolder('tokens.csv'), 'boss,admin,1,system:masters\njane-token,jane,2,"devs,viewers"\n');
      const away = await freePort();
      // The address has to be known at the start, and the authority of the front proxy at the start of the extension.
      const port = await freePort();
      server = await serve(program, '--log', 'error', '--ui=false', '--tls', '--cert-dir', folder, '--authorization-mode', 'RBAC', '--token-auth-file', inFolder('tokens.csv'),
        '--webhook-service', `apples.fruit=127.0.0.1:${port}`, '--webhook-service', `gone.fruit=127.0.0.1:${away}`, '--kubeconfig', inFolder('kubeconfig'));
      ca = readFileSync(inFolder('ca.crt'));
      extension = await startExtensionServer({ certificate: { cert, key }, proxies: readFileSync(inFolder('front-proxy-ca.crt')), port });
      await post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'fruit' } });
    });
    after(async () => {
      await extension?.close();
      assert.equal(await server.stop(), 0);
      rmSync(folder, { recursive: true });
    });

    /** Sends a request and returns { status, headers, body, text }. */
    function send(path, { method = 'GET', token = 'boss', body, headers } = {}) {
      return new Promise((done, failed) => {
        const sent = body && JSON.stringify(body);
        const all = { authorization: `Bearer ${token}`, ...(sent ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) } : {}), ...headers };
        const request = https.request(server.url + path, { method, headers: all, ca, agent: false });
        request.on('error', failed).on('response', async (answer) => {
          let text = '';
          for await (const part of answer) text += part;
          done({ status: answer.statusCode, headers: answer.headers, text, body: /^\s*\{/.test(text) ? JSON.parse(text) : undefined });
        });
        request.end(sent);
      });
    }
    async function post(path, body) {
      const answer = await send(path, { method: 'POST', body });
      assert.equal(answer.status, 201, answer.text);
      return answer.body;
    }
    const apiService = (version, service, more = {}) => ({
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: `${version}.fruit.example` },
      spec: { group: 'fruit.example', version, groupPriorityMinimum: 1500, versionPriority: 10, service: { namespace: 'fruit', name: service }, caBundle: Buffer.from(authority.cert).toString('base64'), ...more },
    });

    /** Waits until the condition Available has a reason, and returns `status message`. */
    async function available(name, reason) {
      let condition;
      await waitFor(async () => {
        const { status } = (await send(`${kServices}/${name}`)).body;
        condition = status.conditions?.find(({ type }) => type === 'Available');
        return condition?.reason === reason;
      }, 5000, () => `${reason}: ${JSON.stringify(condition)}`);
      return `${condition.status} ${condition.message}`;
    }

    test('an API is available once its service is', async () => {
      await post(kServices, apiService('v1', 'apples'));
      assert.equal(await available('v1.fruit.example', 'ServiceNotFound'), 'False service/apples in "fruit" is not present');
      const early = await send(kApples);
      assert.deepEqual([early.status, early.text, early.headers['content-type'], early.headers['x-content-type-options']], [503, 'service unavailable\n', 'text/plain; charset=utf-8', 'nosniff']);

      const services = '/api/v1/namespaces/fruit/services';
      const service = await post(services, { apiVersion: 'v1', kind: 'Service', metadata: { name: 'apples' }, spec: { ports: [{ name: 'web', port: 444 }] } });
      assert.equal(await available('v1.fruit.example', 'ServicePortError'), 'False service/apples in "fruit" is not listening on port 443');
      service.spec.ports[0].port = 443;
      assert.equal((await send(`${services}/apples`, { method: 'PUT', body: service })).status, 200);
      assert.equal(await available('v1.fruit.example', 'EndpointsNotFound'), 'False cannot find endpointslices for service/apples in "fruit"');

      const slices = '/apis/discovery.k8s.io/v1/namespaces/fruit/endpointslices';
      const slice = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata: { name: 'apples', labels: { 'kubernetes.io/service-name': 'apples' } }, addressType: 'IPv4', ports: [{ name: 'web', port: 443 }], endpoints: [{ addresses: ['10.1.2.3'], conditions: { ready: false } }] };
      await post(slices, slice);
      assert.equal(await available('v1.fruit.example', 'MissingEndpoints'), 'False endpointslices for service/apples in "fruit" have no addresses with port name "web"');
      slice.endpoints[0].conditions.ready = true;
      assert.equal((await send(`${slices}/apples`, { method: 'PUT', body: slice })).status, 200);
      assert.equal(await available('v1.fruit.example', 'Passed'), 'True all checks passed');

      const asked = extension.seen.find(({ path }) => path === '/apis/fruit.example/v1');
      assert.deepEqual([asked.headers['x-remote-user'], asked.headers['x-remote-group'], asked.peer, asked.authorized], ['system:kube-aggregator', 'system:masters', 'front-proxy-client', true]);
    });

    test('one that cannot be reached is not available', async () => {
      await post('/api/v1/namespaces/fruit/services', { apiVersion: 'v1', kind: 'Service', metadata: { name: 'gone' }, spec: { type: 'ExternalName', externalName: 'gone.example' } });
      await post(kServices, apiService('v2', 'gone'));
      assert.match(
        await available('v2.fruit.example', 'FailedDiscoveryCheck'),
        /^False failing or missing response from https:\/\/gone\.example:443\/apis\/fruit\.example\/v2: Get "https:\/\/gone\.example:443\/apis\/fruit\.example\/v2": dial tcp 127\.0\.0\.1:\d+: connect: connection refused$/,
      );
      assert.equal((await send(`${kServices}/v2.fruit.example`, { method: 'DELETE' })).status, 200);
    });

    test('requests reach it as their user, without credentials', async () => {
      await post('/apis/rbac.authorization.k8s.io/v1/clusterroles', { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'apples' }, rules: [{ apiGroups: ['fruit.example'], resources: ['apples'], verbs: ['get', 'list'] }] });
      await post('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding', metadata: { name: 'apples' }, roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'apples' }, subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }] });
      const made = await send(kApples, { method: 'POST', body: { apiVersion: 'fruit.example/v1', kind: 'Apple', metadata: { name: 'red' } }, headers: { 'x-remote-user': 'evil', 'X-Remote-Extra-Foo': 'evil' } });
      assert.deepEqual([made.status, made.body.metadata.name, made.headers['x-extension']], [201, 'red', 'yes']);
      assert.notEqual(made.headers['audit-id'], 'theirs');
      const { headers } = extension.seen.at(-1);
      assert.deepEqual([headers['x-remote-user'], headers['x-remote-uid'], headers['x-remote-group'], headers['x-remote-extra-foo'], headers.authorization, headers['x-forwarded-for']], ['admin', '1', 'system:masters, system:authenticated', undefined, undefined, '127.0.0.1']);

      const got = await send(`${kApples}/red?x=a%20b`, { token: 'jane-token' });
      assert.equal(got.body.metadata.uid, made.body.metadata.uid);
      assert.deepEqual([extension.seen.at(-1).path, extension.seen.at(-1).headers['x-remote-group']], [`${kApples}/red?x=a%20b`, 'devs, viewers, system:authenticated']);
      const count = extension.seen.length;
      const refused = await send(`${kApples}/red`, { token: 'jane-token', method: 'DELETE' });
      assert.deepEqual([refused.status, refused.body.message], [403, 'apples.fruit.example "red" is forbidden: User "jane" cannot delete resource "apples" in API group "fruit.example" in the namespace "default"']);
      assert.equal(extension.seen.length, count);
      assert.equal((await send(`${kApples}/blue`)).body.message, 'apples.fruit.example "blue" not found');
      const as = await send(`${kApples}/red`, { headers: { 'impersonate-user': 'jane', 'impersonate-group': 'devs', 'impersonate-extra-a%2fb': 'c' } });
      assert.equal(as.status, 200);
      const impersonated = extension.seen.at(-1).headers;
      assert.deepEqual([impersonated['x-remote-user'], impersonated['x-remote-extra-a%2fb'], impersonated['impersonate-user']], ['jane', 'c', undefined]);
    });

    test('watches stream, and end with their client', async () => {
      let seen = '';
      const request = https.get(`${server.url}${kApples}?watch=true`, { ca, agent: false, headers: { authorization: 'Bearer boss' } });
      request.on('error', () => {}).on('response', (answer) => answer.setEncoding('utf8').on('error', () => {}).on('data', (text) => (seen += text)));
      await waitFor(() => seen.includes('"name":"red"'));
      await post(kApples, { apiVersion: 'fruit.example/v1', kind: 'Apple', metadata: { name: 'green' } });
      await waitFor(() => seen.includes('"name":"green"'));
      assert.equal(extension.watchers.size, 1);
      request.destroy();
      await waitFor(() => extension.watchers.size === 0);
    });

    const upgradeOf = (headers) =>
      new Promise((done, failed) => {
        https
          .get(`${server.url}/apis/fruit.example/v1/echo`, { ca, headers: { authorization: 'Bearer boss', connection: 'Upgrade', ...headers }, agent: false })
          .on('upgrade', (answer, socket, head) => done({ answer, socket, head }))
          .on('response', (answer) => done({ answer }))
          .on('error', failed);
      });

    test('WebSockets go through', async () => {
      const socket = new WebSocket(`${server.url.replace('https', 'wss')}/apis/fruit.example/v1/echo`, ['v5.channel.k8s.io'], { ca, headers: { authorization: 'Bearer boss' } });
      await once(socket, 'open');
      assert.equal(socket.protocol, 'v5.channel.k8s.io');
      const { headers } = extension.seen.at(-1);
      assert.equal(headers['x-remote-user'], 'admin');
      assert.equal(headers.authorization, undefined);
      for (const text of ['hello', 'x'.repeat(300_000)]) {
        socket.send(text);
        const [data] = await once(socket, 'message');
        assert.equal(data.toString(), text);
      }
      socket.close(4000, 'enough');
      const [code] = await once(socket, 'close');
      assert.equal(code, 4000);
      await waitFor(() => extension.upgraded.size === 0);
    });

    test('other protocols go through, both ways', async () => {
      const { answer, socket, head } = await upgradeOf({ upgrade: 'SPDY/3.1', 'x-stream-protocol-version': 'v4' });
      assert.deepEqual([answer.statusCode, answer.headers.upgrade, answer.headers['x-stream-protocol-version']], [101, 'SPDY/3.1', 'v4']);
      let seen = head.toString();
      socket.on('data', (bytes) => (seen += bytes));
      await waitFor(() => seen === 'first');
      const long = 'abc'.repeat(200_000);
      socket.write(long);
      await waitFor(() => seen.length === 5 + long.length);
      assert.equal(seen, `first${long}`);
      assert.equal(extension.upgraded.size, 1);
      socket.destroy();
      await waitFor(() => extension.upgraded.size === 0);
    });

    test('WebSockets of HTTP/2 go through', async () => {
      const session = http2.connect(server.url, { ca });
      await once(session, 'remoteSettings');
      const stream = session.request({ ':method': 'CONNECT', ':protocol': 'websocket', ':path': '/apis/fruit.example/v1/echo', 'sec-websocket-version': '13', authorization: 'Bearer boss' });
      const [answer] = await once(stream, 'response');
      assert.equal(answer[':status'], 200);
      stream.write(Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69])); // "hi", masked by zeros
      const [echoed] = await once(stream, 'data');
      assert.deepEqual([...echoed], [0x81, 2, 0x68, 0x69]);
      stream.close();
      await waitFor(() => extension.upgraded.size === 0);
      session.close();
    });

    test('a server that ends its side ends ours', async () => {
      const { socket } = await upgradeOf({ upgrade: 'SPDY/3.1' });
      socket.resume();
      for (const each of extension.upgraded) each.end('bye');
      await once(socket, 'end');
      socket.destroy();
    });

    test('a refusal is passed on', async () => {
      const refused = await new Promise((done, failed) => {
        https.get(`${server.url}${kApples}/red`, { ca, headers: { authorization: 'Bearer boss', connection: 'Upgrade', upgrade: 'SPDY/3.1' }, agent: false }, done).on('error', failed);
      });
      assert.equal(refused.statusCode, 403);
      refused.resume();
    });

    test('discovery knows it', async () => {
      const list = (await send('/apis')).body.groups.map(({ name }) => name);
      const at = list.indexOf('fruit.example');
      assert.ok(at > list.indexOf('apps') && at < list.length, list.join());
      const group = { name: 'fruit.example', versions: [{ groupVersion: 'fruit.example/v1', version: 'v1' }], preferredVersion: { groupVersion: 'fruit.example/v1', version: 'v1' } };
      assert.deepEqual((await send('/apis/fruit.example')).body, { kind: 'APIGroup', apiVersion: 'v1', ...group });
      let item;
      await waitFor(async () => {
        const { body } = await send('/apis', { headers: { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' } });
        item = body.items.find(({ metadata }) => metadata.name === 'fruit.example');
        return item?.versions[0].resources?.length > 0;
      });
      const [{ version, freshness, resources }] = item.versions;
      assert.deepEqual([item.versions.length, version, freshness], [1, 'v1', 'Current']);
      assert.deepEqual(resources, [{ resource: 'apples', responseKind: { group: '', version: '', kind: 'Apple' }, scope: 'Namespaced', singularResource: 'apple', verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'watch'], shortNames: ['ap'] }]);
    });

    test('its OpenAPI documents are among ours', async () => {
      let index;
      await waitFor(async () => {
        index = (await send('/openapi/v3')).body;
        return 'apis/fruit.example/v1' in index.paths;
      });
      assert.equal(index.paths['apis/fruit.example/v1'].serverRelativeURL, '/openapi/v3/apis/fruit.example/v1?hash=2');
      assert.match(index.paths.version.serverRelativeURL, /\?hash=[0-9A-F]{128}$/);
      const document = await send('/openapi/v3/apis/fruit.example/v1?hash=2', { token: 'jane-token' });
      assert.deepEqual([document.status, document.body.info.title], [200, 'Fruit']);
      const { path, headers } = extension.openapi.at(-1);
      assert.deepEqual([path, headers['x-remote-user']], ['/openapi/v3/apis/fruit.example/v1?hash=2', 'jane']);
      const asked = extension.openapi.find((one) => one.path === '/openapi/v2');
      assert.deepEqual([asked.headers['x-remote-user'], asked.headers['x-remote-group'], asked.peer], ['system:aggregator', undefined, 'front-proxy-client']);

      const swagger = (await send('/openapi/v2')).body;
      assert.equal(swagger.info.title, 'Kubernetes');
      assert.equal(swagger.definitions['example.fruit.v1.Apple'].description, 'Apple is a fruit.');
      assert.equal(swagger.paths['/apis/fruit.example/v1/apples'].get.operationId, 'listApples');
      assert.ok(swagger.paths['/api/v1/pods']);
      const binary = await send('/openapi/v2', { headers: { accept: 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf' } });
      assert.ok(binary.text.includes('Apple is a fruit.'));
    });

    test('a namespace takes the objects in it along', async () => {
      await post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'orchard' } });
      const apples = '/apis/fruit.example/v1/namespaces/orchard/apples';
      await post(apples, { apiVersion: 'fruit.example/v1', kind: 'Apple', metadata: { name: 'old' } });
      assert.equal((await send('/api/v1/namespaces/orchard', { method: 'DELETE' })).status, 200);
      await waitFor(async () => (await send('/api/v1/namespaces/orchard')).status === 404);
      const made = extension.controllers.find(({ method, path }) => method === 'DELETE' && path === apples);
      assert.equal(made.headers['x-remote-user'], 'system:serviceaccount:kube-system:namespace-controller');
      assert.deepEqual((await send(apples)).body.items, []);
      assert.equal((await send(`${kApples}/red`)).status, 200);
    });

    test('the garbage collector takes its objects along, and ours with theirs', async () => {
      const maps = '/api/v1/namespaces/default/configmaps';
      const map = (name, ...ownerReferences) => post(maps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ownerReferences } });
      const apple = (name, ...ownerReferences) => post(kApples, { apiVersion: 'fruit.example/v1', kind: 'Apple', metadata: { name, ownerReferences } });
      const owner = ({ apiVersion, kind, metadata: { name, uid } }) => ({ apiVersion, kind, name, uid });
      const isGone = (path) => waitFor(async () => (await send(path)).status === 404, 5000, () => path);

      const one = await map('one');
      const two = await map('two');
      const child = await apple('child', owner(one));
      await apple('shared', owner(one), owner(two));
      await map('grandchild', owner(child));
      assert.equal((await send(`${maps}/one`, { method: 'DELETE' })).status, 200);
      await isGone(`${kApples}/child`);
      await isGone(`${maps}/grandchild`);
      await waitFor(async () => (await send(`${kApples}/shared`)).body.metadata.ownerReferences.length === 1);
      assert.deepEqual((await send(`${kApples}/shared`)).body.metadata.ownerReferences, [owner(two)]);

      const blocking = await apple('blocking', { ...owner(two), blockOwnerDeletion: true });
      const foreground = await send(`${maps}/two`, { method: 'DELETE', body: { propagationPolicy: 'Foreground' } });
      assert.equal(foreground.status, 200);
      await isGone(`${maps}/two`);
      assert.equal((await send(`${kApples}/${blocking.metadata.name}`)).status, 404);
      await isGone(`${kApples}/shared`);
      const { headers } = extension.controllers.find(({ method, path }) => method === 'DELETE' && path === `${kApples}/child`);
      assert.equal(headers['x-remote-user'], 'system:serviceaccount:kube-system:generic-garbage-collector');
    });

    test('the garbage collector ends deletions of its objects', async () => {
      const maps = '/api/v1/namespaces/default/configmaps';
      const map = (name, ...ownerReferences) => post(maps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ownerReferences } });
      const apple = (name, ...ownerReferences) => post(kApples, { apiVersion: 'fruit.example/v1', kind: 'Apple', metadata: { name, ownerReferences } });
      const owner = ({ apiVersion, kind, metadata: { name, uid } }) => ({ apiVersion, kind, name, uid, blockOwnerDeletion: true });
      const isGone = (path) => waitFor(async () => (await send(path)).status === 404, 5000, () => path);
      const erase = async (name, propagationPolicy) => assert.equal((await send(`${kApples}/${name}`, { method: 'DELETE', body: { propagationPolicy } })).status, 200);

      const tree = await apple('tree');
      const branch = await apple('branch', owner(tree));
      await map('leaf', owner(branch));
      await erase('tree', 'Foreground');
      await isGone(`${kApples}/tree`);
      for (const path of [`${kApples}/branch`, `${maps}/leaf`]) assert.equal((await send(path)).status, 404);
      const ends = extension.controllers.filter(({ method, path }) => method === 'PATCH' && [`${kApples}/tree`, `${kApples}/branch`].includes(path));
      assert.deepEqual(ends.map(({ path, headers }) => [path.split('/').at(-1), headers['content-type']]), [['branch', 'application/merge-patch+json'], ['tree', 'application/merge-patch+json']]);

      const parent = await apple('parent');
      await apple('orphan', owner(parent));
      await map('waif', owner(parent));
      await erase('parent', 'Orphan');
      await isGone(`${kApples}/parent`);
      for (const path of [`${kApples}/orphan`, `${maps}/waif`]) {
        const { status, body } = await send(path);
        assert.deepEqual([status, body.metadata.ownerReferences ?? []], [200, []]);
        assert.equal((await send(path, { method: 'DELETE' })).status, 200);
      }
    });

    test('kubectl works with it', async () => {
      const kubectl = async (...args) => {
        const { stdout, stderr } = await execute(findKubectl(), ['--kubeconfig', inFolder('kubeconfig'), '--cache-dir', inFolder('cache'), ...args]).catch((error) => error);
        return stdout + stderr;
      };
      assert.match(await kubectl('api-resources', '--api-group', 'fruit.example'), /^apples +ap +fruit\.example\/v1 +true +Apple$/m);
      assert.match(await kubectl('get', 'ap', 'red'), /^red +\d+/m);
      assert.match(await kubectl('get', 'apples', '-o', 'name'), /^apple\.fruit\.example\/green\napple\.fruit\.example\/red$|^apple\.fruit\.example\/red\napple\.fruit\.example\/green$/m);
      assert.equal(JSON.parse(await kubectl('get', '--raw', `${kApples}/red`)).metadata.name, 'red');
      assert.match(await kubectl('delete', 'apple', 'green', '--wait=false'), /^apple\.fruit\.example "green" deleted/);
      assert.match(await kubectl('explain', 'apples'), /KIND: +Apple\nVERSION: +v1[^]*Apple is a fruit\.[^]*sort\t<string>\n +What it tastes like\./);
      assert.match(await kubectl('get', 'apiservice', 'v1.fruit.example'), /^v1\.fruit\.example +fruit\/apples +True /m);
    });

    test('aggregated API servers learn whom to believe', async () => {
      const { data } = (await send('/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication')).body;
      assert.equal(data['requestheader-client-ca-file'], readFileSync(inFolder('front-proxy-ca.crt'), 'utf8'));
      assert.equal(data['client-ca-file'], ca.toString());
      assert.equal(data['requestheader-allowed-names'], '["front-proxy-client"]');
      assert.equal(data['requestheader-username-headers'], '["X-Remote-User"]');
    });

    test("a user's metrics.k8s.io replaces that of the simulated nodes", async () => {
      const nodes = '/apis/metrics.k8s.io/v1beta1/nodes';
      assert.equal((await send(nodes)).body.kind, 'NodeMetricsList');
      await post('/api/v1/namespaces/kube-system/services', { apiVersion: 'v1', kind: 'Service', metadata: { name: 'metrics-server' }, spec: { ports: [{ port: 443 }] } });
      assert.match(await available('v1beta1.metrics.k8s.io', 'EndpointsNotFound'), /^False/);
      assert.equal((await send(nodes)).text, 'service unavailable\n');
      assert.equal((await send('/api/v1/namespaces/kube-system/services/metrics-server', { method: 'DELETE' })).status, 200);
      await available('v1beta1.metrics.k8s.io', 'Passed');
      assert.equal((await send(nodes)).body.kind, 'NodeMetricsList');
    });

    test('an API server that is gone is told, with the reason', async () => {
      await extension.close();
      extension = undefined;
      const { status, text } = await send(`${kApples}/red`);
      assert.equal(status, 503);
      assert.match(text, /^error trying to reach service: dial tcp 127\.0\.0\.1:\d+: connect: connection refused\n$/);
      await send('/apis/discovery.k8s.io/v1/namespaces/fruit/endpointslices/apples', { method: 'PATCH', body: { metadata: { labels: { a: 'b' } } }, headers: { 'content-type': 'application/merge-patch+json' } });
      assert.match(await available('v1.fruit.example', 'FailedDiscoveryCheck'), /^False failing or missing response from https:\/\/10\.[\d.]+:443\/apis\/fruit\.example\/v1: Get /);
      assert.equal((await send(kApples)).text, 'service unavailable\n');
      assert.equal((await send('/openapi/v3/apis/fruit.example/v1')).text, 'service unavailable\n');
      assert.ok((await send('/openapi/v2')).body.definitions['example.fruit.v1.Apple']);
    });

    test('a namespace stays while an API server is gone', async () => {
      await post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'meadow' } });
      assert.equal((await send('/api/v1/namespaces/meadow', { method: 'DELETE' })).status, 200);
      let conditions;
      await waitFor(async () => {
        ({ conditions } = (await send('/api/v1/namespaces/meadow')).body.status);
        return conditions?.length > 0;
      });
      const { status, reason, message } = conditions.find(({ type }) => type === 'NamespaceDeletionDiscoveryFailure');
      assert.deepEqual([status, reason, message], ['True', 'DiscoveryFailed', 'Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: fruit.example/v1: stale GroupVersion discovery: fruit.example/v1']);
      assert.equal((await send(`${kServices}/v1.fruit.example`, { method: 'DELETE' })).status, 200);
      await waitFor(async () => (await send('/api/v1/namespaces/meadow')).status === 404, 70_000);
      assert.equal((await send('/openapi/v2')).body.definitions['example.fruit.v1.Apple'], undefined);
    });
  });
}
