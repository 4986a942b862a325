// The endpoint that the webhooks of a scenario call: an HTTPS server that answers what the recording says (`hooks`) and
// notes what it was asked (Node only).

import https from 'node:https';
import net from 'node:net';
import { makeCertificate } from '../../clients/certificates.mjs';
import { fromUtf8, toUtf8 } from './bytes.mjs';
import { parseJson, toPlain } from './ordered_json.mjs';

const kHere = '127.0.0.1';
const base64 = (text) => Buffer.from(text).toString('base64');

export class HookEndpoint {
  /** @type {{method: string, path: string, headers: object, text: string}[]} */
  received = [];
  hooks = {};
  calls = {};

  async start() {
    this.authority = makeCertificate({ commonName: 'webhooks' });
    const good = makeCertificate({ commonName: 'hook', names: [kHere], authority: this.authority });
    this.server = https.createServer(good, (request, response) => this.answer(request, response));
    await new Promise((resolve) => this.server.listen(0, kHere, resolve));
    // A port that was free a moment ago.
    const unused = net.createServer();
    await new Promise((resolve) => unused.listen(0, kHere, resolve));
    const refused = `${kHere}:${unused.address().port}`;
    await new Promise((resolve) => unused.close(resolve));
    const address = `${kHere}:${this.server.address().port}`;
    this.values = {
      hook: `https://${address}`,
      hookAddress: address,
      ca: base64(this.authority.cert),
      otherCA: base64(makeCertificate({ commonName: 'others' }).cert),
      refused: `https://${refused}`,
      refusedAddress: refused,
    };
    return this;
  }

  /** Begins a scenario. @param {any} hooks its hooks, or undefined @param {import('./placeholders.mjs').Bindings} bindings */
  begin(hooks, bindings) {
    this.hooks = hooks ? toPlain(hooks) : {};
    this.calls = {};
    this.received = [];
    for (const [name, value] of Object.entries(this.values)) bindings.set(name, value);
  }

  /** Returns what was received since the last call. */
  take() {
    const taken = this.received;
    this.received = [];
    return taken;
  }

  close() {
    this.server.close();
    this.server.closeAllConnections();
  }

  async answer(request, response) {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    const text = fromUtf8(Buffer.concat(pieces)) ?? '';
    this.received.push({ method: request.method, path: request.url, headers: request.headers, text });
    const hook = this.next(request.url.split('?')[0]);
    if (hook?.delayMs) await new Promise((resolve) => setTimeout(resolve, hook.delayMs));
    if (hook?.close) return request.socket.destroy();
    if (!hook) return response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('404 page not found\n');
    const review = text ? toPlain(parseJson(text)) : {};
    const { status = 200, headers = { 'content-type': 'application/json' }, body } = hook.response ? { body: reviewOf(hook.response, review) } : hook;
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(bytesOf(body, review));
  }

  next(path) {
    const hook = this.hooks[path];
    if (!hook?.sequence) return hook;
    const call = this.calls[path] ?? 0;
    this.calls[path] = call + 1;
    return hook.sequence[Math.min(call, hook.sequence.length - 1)];
  }
}

function reviewOf(response, review) {
  const patch = Array.isArray(response.patch) ? base64(JSON.stringify(response.patch)) : response.patch;
  return {
    apiVersion: review.apiVersion ?? 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: { uid: review.request?.uid, ...response, ...(patch === undefined ? {} : { patch }) },
  };
}

function bytesOf(body, review) {
  if (body === null || body === undefined) return '';
  const text = Object.keys(body).join() === 'text' ? body.text : JSON.stringify(body);
  return toUtf8(text.replaceAll('{{request.uid}}', review.request?.uid ?? ''));
}
