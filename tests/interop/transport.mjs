// Two servers of one store as one host of the conformance suite: writes go to one, reads and watches to the other.
import http from 'node:http';
import https from 'node:https';
import { NativeTransport } from '../conformance/runner/transports/native.mjs';

const kWrites = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** @typedef {{url: string, token: string}} Server */

export class SplitTransport extends NativeTransport {
  /** @param {{writer: Server, reader: Server}} servers */
  constructor({ writer, reader }) {
    super();
    this.servers = { writer, reader };
    this.agents = { 'http:': new http.Agent({ keepAlive: true }), 'https:': new https.Agent({ keepAlive: true, rejectUnauthorized: false }) };
  }

  /** Nothing: scenarios have namespaces of their own, as when they were recorded. */
  async reset() {}

  async control(call) {
    throw new Error(`a real server has no ${call}`);
  }

  async close() {
    for (const agent of Object.values(this.agents)) agent.destroy();
  }

  open({ method, path, headers, body }, agent) {
    const { url, token } = kWrites.includes(method) ? this.servers.writer : this.servers.reader;
    const { protocol, hostname: host, port } = new URL(url);
    const length = body ? [['content-length', String(body.length)]] : [];
    const others = headers.filter(([name]) => name.toLowerCase() !== 'authorization'); // the recorded administrator's
    const all = [['host', `${host}:${port}`], ...others, ['authorization', `Bearer ${token}`], ...length];
    const module = protocol === 'https:' ? https : http;
    return new Promise((resolve, reject) => {
      const sent = module.request({ host, port, method, path, rejectUnauthorized: false, agent: agent && this.agents[protocol], headers: all.flat() });
      sent.on('response', (response) => resolve({ response, sent }));
      sent.on('upgrade', (response, socket, first) => resolve({ response, sent, socket, first }));
      sent.on('error', reject);
      sent.end(body ?? undefined);
    });
  }
}
