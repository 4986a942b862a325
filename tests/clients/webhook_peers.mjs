// Servers that a webhook's URL may lead to, and kube-apiserver 1.36's message for each (recorded from a real one).
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import tls from 'node:tls';
import { makeCertificate } from './certificates.mjs';

const kUntrusted = 'tls: failed to verify certificate: x509: ';
const kUnknown = `${kUntrusted}certificate signed by unknown authority`;
const kHere = '127.0.0.1';

export const authority = makeCertificate({ commonName: 'webhooks' });
const otherAuthority = makeCertificate({ commonName: 'others' });
const namesake = makeCertificate({ commonName: 'webhooks' });
const certificate = (names, more) => makeCertificate({ commonName: 'hook', names, authority, ...more });
export const good = certificate([kHere, 'localhost', 'hook.default.svc', 'mapped.shop.svc']);

/** Answers a ConversionReview. `spec.hostPort` of v1beta1 is `spec.host` and `spec.port` of v1. */
export function convert(request, response) {
  let text = '';
  request.on('data', (piece) => (text += piece));
  request.on('end', () => {
    const { apiVersion, kind, request: review } = JSON.parse(text);
    const convertedObjects = review?.objects.map((object) => convertObject(object, review.desiredAPIVersion));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ apiVersion, kind, response: { uid: review?.uid, result: { status: 'Success' }, convertedObjects } }));
  });
}

function convertObject(object, apiVersion) {
  const { host, port, hostPort } = object.spec;
  const [toHost, toPort] = hostPort?.split(':') ?? [];
  const spec = apiVersion.endsWith('/v1') ? { host: toHost, port: toPort } : { hostPort: `${host}:${port}` };
  return { ...object, apiVersion, spec };
}

/** All listening servers, to be closed at the end. */
const listening = new Set();
const sockets = new Set();

async function listen(server) {
  for (const event of ['connection', 'secureConnection']) {
    server.on(event, (socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
    });
  }
  listening.add(server);
  await new Promise((resolve) => server.listen(0, kHere, resolve));
  return server.address().port;
}

export function closePeers() {
  for (const socket of sockets) socket.destroy();
  for (const server of listening) server.close();
}

export const startWebhook = (handler = convert, options = good) => listen(https.createServer(options, handler));
const webhook = (names, more) => startWebhook(convert, certificate(names, more));
const bare = (serve) => listen(net.createServer(serve));
/** Speaks TLS and answers the first bytes with these. */
const answering = (bytes) => listen(tls.createServer(good, (socket) => socket.once('data', () => socket.end(bytes))));
const status = (code, body) =>
  startWebhook((request, response) => {
    request.resume();
    response.writeHead(code, { 'content-type': 'text/plain' }).end(body);
  });

async function closedPort() {
  const server = net.createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * Starts servers with all kinds of errors: `fault` is the text after the URL in the Status; with a `status` it is the
 * error of the body that came with that status; `refusal` is the text for an unsuccessful answer. `host` is that of the
 * URL.
 */
export async function startPeers() {
  const refused = await closedPort();
  const working = await startWebhook();
  const names = await webhook(['a.example', 'b.example']);
  const address = await webhook(['10.0.0.1']);
  return [
    { name: 'nobody listens', port: refused, fault: `dial tcp ${kHere}:${refused}: connect: connection refused` },
    { name: 'nobody has that name', host: 'nowhere.invalid', port: 443, fault: /^dial tcp: lookup nowhere\.invalid.*: no such host$/ },
    { name: 'no bundle', port: working, ca: '', fault: kUnknown },
    { name: 'the bundle of others', port: working, ca: otherAuthority.cert, fault: kUnknown },
    { name: 'the bundle of a namesake', port: working, ca: namesake.cert, fault: new RegExp(`^${kUnknown}`) },
    { name: 'signed by itself', port: await startWebhook(convert, makeCertificate({ commonName: 'x', names: [kHere] })), fault: kUnknown },
    { name: 'no name fits', host: 'localhost', port: names, fault: `${kUntrusted}certificate is valid for a.example, b.example, not localhost` },
    { name: 'no name for an address', port: names, fault: `${kUntrusted}cannot validate certificate for ${kHere} because it doesn't contain any IP SANs` },
    { name: 'another address', port: address, fault: `${kUntrusted}certificate is valid for 10.0.0.1, not ${kHere}` },
    { name: 'no name at all', host: 'localhost', port: address, fault: `${kUntrusted}certificate is not valid for any names, but wanted to match localhost` },
    {
      name: 'only a common name',
      host: 'localhost',
      port: await webhook([], { commonName: 'localhost' }),
      fault: `${kUntrusted}certificate relies on legacy Common Name field, use SANs instead`,
    },
    {
      name: 'expired',
      port: await webhook([kHere], { to: new Date('2021-01-01T00:00:00Z'), from: new Date('2020-01-01T00:00:00Z') }),
      fault: new RegExp(`^${kUntrusted}certificate has expired or is not yet valid: current time \\S+ is after 2021-01-01T00:00:00Z$`),
    },
    {
      name: 'not yet valid',
      port: await webhook([kHere], { from: new Date('2040-01-01T00:00:00Z'), to: new Date('2041-01-01T00:00:00Z') }),
      fault: new RegExp(`^${kUntrusted}certificate has expired or is not yet valid: current time \\S+ is before 2040-01-01T00:00:00Z$`),
    },
    { name: 'a certificate for clients', port: await webhook([kHere], { clientOnly: true }), fault: `${kUntrusted}certificate specifies an incompatible key usage` },
    { name: 'a client certificate is wanted', port: await startWebhook(convert, { ...good, ca: authority.cert, requestCert: true, minVersion: 'TLSv1.3' }), fault: 'remote error: tls: certificate required' },
    { name: 'the same with TLS 1.2', port: await startWebhook(convert, { ...good, ca: authority.cert, requestCert: true, maxVersion: 'TLSv1.2' }), fault: 'remote error: tls: handshake failure' },
    { name: 'plain HTTP', port: await listen(http.createServer(convert)), fault: 'http: server gave HTTP response to HTTPS client' },
    { name: 'closes at once', port: await bare((socket) => socket.end()), fault: 'EOF' },
    { name: 'closes at the handshake', port: await bare((socket) => socket.once('data', () => socket.end())), fault: 'EOF' },
    {
      name: 'resets at the handshake',
      port: await bare((socket) => socket.once('data', () => socket.resetAndDestroy())),
      fault: /^read tcp 127\.0\.0\.1:\d+->127\.0\.0\.1:\d+: read: connection reset by peer$/,
    },
    { name: 'closes at the request', port: await answering(''), fault: 'EOF' },
    { name: 'answers what is no HTTP', port: await answering('hello there\r\n\r\n'), fault: /^net\/http: HTTP\/1\.x transport connection broken: malformed HTTP / },
    { name: 'ends in the body', port: await answering('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"a"'), status: 200, fault: 'unexpected EOF' },
    { name: 'ends in a chunk', port: await answering('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n{"a"'), status: 200, fault: 'unexpected EOF' },
    { name: 'has a chunk of no length', port: await answering('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{"a"'), status: 200, fault: 'invalid byte in chunk length' },
    { name: 'answers 500', port: await status(500, 'broken\n'), status: 500, body: 'broken\n', refusal: 'an error on the server ("broken") has prevented the request from succeeding' },
    { name: 'answers 404', port: await status(404, '<p>no'), status: 404, body: '<p>no', refusal: 'the server could not find the requested resource' },
    { name: 'answers nothing', port: await status(204, ''), status: 204, body: '', refusal: '0-length response with status code: 204 and content type: application/json' },
    {
      name: 'answers something else',
      port: await status(200, '{"a":1}'),
      status: 200,
      body: '{"a":1}',
      refusal: 'expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got /, Kind=',
    },
    { name: 'ends the body by closing', port: await answering('HTTP/1.1 200 OK\r\n\r\n{}'), status: 200, body: '{}', refusal: 'expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got /, Kind=' },
  ];
}

/** Starts servers that keep a caller waiting until it gives up, after `seconds`. */
export async function startSlowPeers() {
  return [
    { name: 'no handshake', seconds: 10, port: await bare((socket) => socket.resume()), fault: 'net/http: TLS handshake timeout' },
    {
      name: 'no head',
      seconds: 30,
      port: await startWebhook((request) => request.resume()),
      fault: 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
    },
    {
      name: 'half a body',
      seconds: 30,
      port: await startWebhook((request, response) => response.writeHead(200).write('{')),
      status: 200,
      fault: 'context deadline exceeded (Client.Timeout or context cancellation while reading body)',
    },
  ];
}

export const urlOf = ({ host = kHere, port }) => `https://${host}:${port}/convert`;
