// A small aggregated API server: HTTPS, discovery, OpenAPI, and one resource, `apples` of fruit.example/v1, with a watch. It trusts
// the headers that name a user from clients with a certificate of the front proxy's authority.
import { once } from 'node:events';
import https from 'node:https';
import { WebSocketServer } from 'ws';

const kRoot = '/apis/fruit.example/v1';
const kVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'watch'];
const kControllers = 'system:serviceaccount:kube-system:';
const kResources = [{ name: 'apples', singularName: 'apple', namespaced: true, kind: 'Apple', verbs: kVerbs, shortNames: ['ap'] }];
const kAggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const kApple = {
  description: 'Apple is a fruit.',
  type: 'object',
  properties: { apiVersion: { type: 'string' }, kind: { type: 'string' }, sort: { description: 'What it tastes like.', type: 'string' } },
  'x-kubernetes-group-version-kind': [{ group: 'fruit.example', kind: 'Apple', version: 'v1' }],
};
const operation = { operationId: 'listApples', 'x-kubernetes-action': 'list', 'x-kubernetes-group-version-kind': { group: 'fruit.example', kind: 'Apple', version: 'v1' } };
const swaggerOf = () => {
  const answer = { description: 'OK', schema: { $ref: '#/definitions/example.fruit.v1.Apple' } };
  return {
    swagger: '2.0',
    info: { title: 'Fruit', version: 'v1' },
    paths: { [`${kRoot}/apples`]: { get: { ...operation, produces: ['application/json'], responses: { 200: answer } } }, '/version': { get: { responses: { 200: { description: 'OK' } } } } },
    definitions: { 'example.fruit.v1.Apple': kApple },
  };
};
const v3Of = () => {
  const answer = { description: 'OK', content: { 'application/json': { schema: { $ref: '#/components/schemas/example.fruit.v1.Apple' } } } };
  return { openapi: '3.0.0', info: { title: 'Fruit', version: 'v1' }, paths: { [`${kRoot}/apples`]: { get: { ...operation, responses: { 200: answer } } } }, components: { schemas: { 'example.fruit.v1.Apple': kApple } } };
};

/**
 * Starts one and returns { port, seen, openapi, controllers, watchers, close() }: `seen` has the requests, but those for documents of
 * OpenAPI, which are in `openapi`, and those of control loops, in `controllers`; neither are their watches in `watchers`.
 *
 *   certificate  { cert, key }
 *   proxies      the authority of the front proxy, PEM; without it no certificate is asked for
 *   aggregated   whether it knows aggregated discovery
 *   v3           whether it has documents of OpenAPI v3
 */
export async function startExtensionServer({ certificate, proxies, aggregated = false, v3 = true, port = 0 }) {
  const apples = new Map();
  const watchers = new Set();
  const seen = [];
  const openapi = [];
  const controllers = [];
  const loops = new Set();
  let version = 1;

  const tell = (type, object) => {
    for (const watcher of [...watchers, ...loops]) watcher.write(`${JSON.stringify({ type, object })}\n`);
  };

  /** Tells of a change; an object whose deletion nothing holds up any more goes. */
  const change = (apple) => {
    const { metadata } = apple;
    if (!metadata.finalizers?.length) delete metadata.finalizers;
    metadata.resourceVersion = String(++version);
    if (!metadata.deletionTimestamp || metadata.finalizers) return tell('MODIFIED', apple);
    apples.delete(`${metadata.namespace}/${metadata.name}`);
    tell('DELETED', apple);
  };
  const conflicts = ({ metadata }, wanted) => ['uid', 'resourceVersion'].some((key) => (wanted[key] ?? metadata[key]) !== metadata[key]);

  async function answer(request, response) {
    const { pathname, searchParams } = new URL(request.url, 'https://localhost');
    let body = '';
    for await (const piece of request) body += piece;
    const peer = proxies ? request.socket.getPeerCertificate().subject?.CN : undefined;
    const known = { method: request.method, path: request.url, headers: request.headers, raw: request.rawHeaders, peer, authorized: request.socket.authorized };
    const ofLoop = request.headers['x-remote-user']?.startsWith(kControllers);
    (pathname.startsWith('/openapi/') ? openapi : ofLoop ? controllers : seen).push(known);
    const send = (status, value, type = 'application/json', more = {}) => {
      const text = JSON.stringify(value);
      response.writeHead(status, { ...more, 'content-type': type, 'content-length': Buffer.byteLength(text), 'audit-id': 'theirs', 'x-extension': 'yes' }).end(text);
    };
    const missing = (name) => send(404, { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404, message: `apples.fruit.example "${name}" not found` });
    const conflict = (name) => send(409, { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Conflict', code: 409, message: `apples.fruit.example "${name}" has changed` });
    if (pathname === kRoot) return send(200, { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: 'fruit.example/v1', resources: kResources });
    if (pathname === '/apis' && aggregated) {
      const resources = [{ resource: 'apples', responseKind: { group: 'fruit.example', version: 'v1', kind: 'Apple' }, scope: 'Namespaced', singularResource: 'apple', verbs: kVerbs, shortNames: ['ap'] }];
      return send(200, { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items: [{ metadata: { name: 'fruit.example' }, versions: [{ version: 'v1', resources, freshness: 'Current' }] }] }, kAggregated);
    }
    if (pathname === '/openapi/v2') {
      if (request.headers['if-none-match'] === '"swagger"') return response.writeHead(304).end();
      return send(200, swaggerOf(), 'application/json', { etag: '"swagger"' });
    }
    if (pathname === '/openapi/v3' && v3) return send(200, { paths: { version: { serverRelativeURL: '/openapi/v3/version?hash=1' }, [kRoot.slice(1)]: { serverRelativeURL: `/openapi/v3${kRoot}?hash=2` } } });
    if (pathname === `/openapi/v3${kRoot}` && v3) return send(200, v3Of());
    const [, ns, name] = /^\/apis\/fruit\.example\/v1\/(?:namespaces\/([^/]+)\/)?apples(?:\/([^/]+))?$/.exec(pathname) ?? [];
    if (!pathname.includes('/apples')) return send(404, { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 404, message: 'no such path' });
    if (request.method === 'POST') {
      const apple = JSON.parse(body);
      apple.metadata = { ...apple.metadata, namespace: ns, resourceVersion: String(++version), uid: `u${version}`, creationTimestamp: '2026-01-01T00:00:00Z' };
      apples.set(`${ns}/${apple.metadata.name}`, apple);
      tell('ADDED', apple);
      return send(201, apple);
    }
    const here = () => [...apples.values()].filter(({ metadata }) => ns === undefined || metadata.namespace === ns);
    if (request.method === 'DELETE' && !name) {
      for (const apple of here()) {
        apples.delete(`${ns}/${apple.metadata.name}`);
        tell('DELETED', apple);
      }
      return send(200, { kind: 'Status', apiVersion: 'v1', status: 'Success' });
    }
    if (request.method === 'DELETE') {
      const apple = apples.get(`${ns}/${name}`);
      if (!apple) return missing(name);
      const { preconditions = {}, propagationPolicy } = body ? JSON.parse(body) : {};
      if (conflicts(apple, preconditions)) return conflict(name);
      const finalizer = { Foreground: 'foregroundDeletion', Orphan: 'orphan' }[propagationPolicy];
      if (finalizer) apple.metadata.finalizers = [...(apple.metadata.finalizers ?? []), finalizer];
      apple.metadata.deletionTimestamp ??= '2026-01-01T00:00:00Z';
      change(apple);
      return send(200, { kind: 'Status', apiVersion: 'v1', status: 'Success' });
    }
    if (request.method === 'PATCH') {
      const apple = apples.get(`${ns}/${name}`);
      if (!apple) return missing(name);
      const { metadata } = JSON.parse(body);
      if (conflicts(apple, metadata)) return conflict(name);
      Object.assign(apple.metadata, metadata);
      change(apple);
      return send(200, apple);
    }
    if (name) return apples.has(`${ns}/${name}`) ? send(200, apples.get(`${ns}/${name}`)) : missing(name);
    if (searchParams.get('watch')) {
      response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
      for (const object of here()) response.write(`${JSON.stringify({ type: 'ADDED', object })}\n`);
      const these = ofLoop ? loops : watchers;
      these.add(response);
      return response.on('close', () => these.delete(response));
    }
    send(200, { kind: 'AppleList', apiVersion: 'fruit.example/v1', metadata: { resourceVersion: String(version) }, items: here() });
  }

  const server = https.createServer({ ...certificate, ...(proxies ? { requestCert: true, rejectUnauthorized: false, ca: proxies } : {}) }, (request, response) => void answer(request, response));
  // Switches protocols at /apis/fruit.example/v1/…/echo: a WebSocket echoes messages, all others get their bytes back.
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: (offered) => [...offered][0] });
  const upgraded = new Set();
  server.on('upgrade', (request, socket, head) => {
    seen.push({ method: request.method, path: request.url, headers: request.headers });
    if (!new URL(request.url, 'https://localhost').pathname.endsWith('/echo')) return socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 3\r\nContent-Type: text/plain\r\n\r\nno\n');
    upgraded.add(socket);
    socket.on('close', () => upgraded.delete(socket)).on('error', () => {});
    if (request.headers.upgrade === 'websocket') return sockets.handleUpgrade(request, socket, head, (one) => one.on('message', (data, binary) => one.send(data, { binary })));
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${request.headers.upgrade}\r\nX-Stream-Protocol-Version: v4\r\n\r\nfirst`);
    socket.pipe(socket);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: server.address().port,
    seen,
    openapi,
    controllers,
    watchers,
    upgraded,
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(done));
    },
  };
}
