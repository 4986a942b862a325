// Tests the host's webhook calls around a fake core: all kinds of peers, many calls at once, and the shutdown.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { authority, closePeers, good, startPeers, startSlowPeers, startWebhook, urlOf } from '../clients/webhook_peers.mjs';
import { fakeBinary, serve, waitFor } from './server.mjs';

let server;
before(async () => (server = await serve(fakeBinary, '--webhook-service', 'hook.default:9=127.0.0.1:1', '--webhook-service', 'other.default=localhost:2')));
after(async () => {
  closePeers();
  assert.equal(await server.stop(), 0);
});

/** Returns the fake core's report of one call: the status and the fault in a line, then the body. */
const call = async (url, ca = authority.cert, headers = {}, to = server) =>
  (await fetch(`${to.url}/webhook?${url}`, { method: 'POST', body: ca, headers })).text();

function check({ name, status = 0, fault = '', body = '' }, said) {
  const end = said.indexOf('\n');
  const told = said.slice(`${status} `.length, end);
  assert.equal(said.slice(0, end), `${status} ${told}`, name);
  if (fault instanceof RegExp) assert.match(told, fault, name);
  else assert.equal(told, fault, name);
  assert.equal(said.slice(end + 1), body, name);
}

test('each fault of the other end is told in the words of Go', async () => {
  for (const peer of await startPeers()) check(peer, await call(urlOf(peer), peer.ca));
});

test('the limits of time are those of kube-apiserver', async () => {
  const start = Date.now();
  const peers = await startSlowPeers();
  await Promise.all(
    peers.map(async (peer) => {
      check(peer, await call(urlOf(peer)));
      const seconds = (Date.now() - start) / 1000;
      assert.ok(seconds > peer.seconds - 1 && seconds < peer.seconds + 8, `${peer.name}: ${seconds} s`);
    }),
  );
});

test('what a webhook gets: the request of kube-apiserver', async () => {
  const seen = [];
  const port = await startWebhook((request, response) => {
    seen.push([request.method, request.url, ...request.rawHeaders]);
    request.on('data', (piece) => seen.push(String(piece))).on('end', () => response.end('fine'));
  });
  assert.equal(await call(`https://localhost:${port}/convert?timeout=30s`), '200 \nfine');
  const headers = { Host: `localhost:${port}`, 'User-Agent': 'kube-apiserver-admission', Accept: 'application/json, */*', 'Content-Type': 'application/json' };
  assert.deepEqual(seen[0], ['POST', '/convert?timeout=30s', ...Object.entries(headers).flat(), 'Connection', 'close', 'Content-Length', '2']);
  assert.equal(seen[1], '{}');
});

test('a bundle may be the certificate of the server, and blank is none', async () => {
  const port = await startWebhook((request, response) => response.end('fine'));
  assert.equal(await call(`https://127.0.0.1:${port}/`, good.cert), '200 \nfine');
  assert.match(await call(`https://127.0.0.1:${port}/`, ' \n'), /unknown authority\n$/);
  assert.equal(await call(`https://127.0.0.1:${port}/`, 'no PEM'), '0 unable to load root certificates: unable to parse bytes as PEM block\n');
});

test('services are where --webhook-service says, else where the core says', async () => {
  const names = [];
  const port = await startWebhook((request, response) => response.end(names.push(request.socket.servername) && 'fine'));
  const service = (name, address) => call(`https://${name.replace(':', '.svc:')}/`, undefined, { 'x-service': name, 'x-address': address });
  assert.equal(await service('hook.default:443', `localhost:${port}`), '200 \nfine');
  assert.deepEqual(names, ['hook.default.svc']);
  assert.match(await service('hook.shop:443', `localhost:${port}`), /certificate is valid for .*, not hook\.shop\.svc\n$/);
  assert.equal(await service('hook.default:9', `localhost:${port}`), '0 dial tcp 127.0.0.1:1: connect: connection refused\n');
  assert.match(await service('other.default:77', ''), /^0 dial tcp (127\.0\.0\.1|\[::1\]):2: connect: connection refused\n$/);
  assert.equal(await service('hook.default:443', ''), '0 it is nowhere\n');
  assert.equal(await service('hook.default:443', ''), '0 it is nowhere\n');
  const told = "tabernetes: the webhook's service hook.default:443 is nowhere: --webhook-service hook.default=HOST:PORT says where it is\n";
  assert.equal(server.output.stderr.split(told).length, 2, server.output.stderr);
});

test('many calls are under way at once, and nobody else waits for them', async () => {
  const held = [];
  const port = await startWebhook((request, response) => void held.push(response));
  const calls = Array.from({ length: 200 }, () => call(`https://127.0.0.1:${port}/`));
  await waitFor(() => held.length === 200, 20_000, () => `200 calls, not ${held.length}`);
  assert.match(await (await fetch(`${server.url}/alive`)).text(), /^GET \/alive\n/);
  held.forEach((response, i) => response.end(String(i)));
  const bodies = (await Promise.all(calls)).map((said) => Number(said.replace('200 \n', '')));
  assert.deepEqual(bodies.sort((a, b) => a - b), Array.from({ length: 200 }, (_, i) => i));
});

test('a large answer arrives whole', async () => {
  const port = await startWebhook((request, response) => response.end('x'.repeat(20_000_000)));
  assert.equal((await call(`https://127.0.0.1:${port}/`)).length, 20_000_000 + '200 \n'.length);
});

test('a server that ends waits for an answer, and no longer than its time', async () => {
  let release;
  const port = await startWebhook((request, response) => (release = () => response.end('late')));
  const ending = await serve(fakeBinary);
  const answer = call(`https://127.0.0.1:${port}/`, undefined, {}, ending);
  await waitFor(() => release);
  const stopped = ending.stop();
  await new Promise((resolve) => setTimeout(resolve, 100));
  release();
  assert.equal(await answer, '200 \nlate');
  assert.equal(await stopped, 0);

  const cut = await serve(fakeBinary);
  release = undefined;
  const lost = call(`https://127.0.0.1:${port}/`, undefined, {}, cut).catch(() => 'lost');
  await waitFor(() => release);
  const start = Date.now();
  assert.equal(await cut.stop(), 0);
  assert.ok(Date.now() - start < 10_000);
  assert.equal(await lost, 'lost');
});
