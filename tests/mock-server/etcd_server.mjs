// An etcd of Debian's package for a test: started on free ports, killed, started again.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { waitFor } from './server.mjs';

/** Why there is no etcd here; undefined if there is one. */
export const noEtcd = spawnSync('etcd', ['--version']).error ? 'etcd is not installed (etcd-server)' : undefined;

/** Returns that many ports that nobody uses at the moment. */
export async function freePorts(count) {
  const servers = Array.from({ length: count }, () => net.createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

const base64 = (text) => Buffer.from(text).toString('base64');

export class Etcd {
  /** Starts one that keeps its data in `directory`. `flags` are more of its own. */
  static async start(directory, { flags = [], tls = false } = {}) {
    const etcd = new Etcd();
    [etcd.port, etcd.peerPort] = await freePorts(2);
    etcd.directory = directory;
    etcd.flags = flags;
    etcd.url = `${tls ? 'https' : 'http'}://127.0.0.1:${etcd.port}`;
    etcd.tls = tls;
    await etcd.restart();
    return etcd;
  }

  async restart() {
    const peer = `http://127.0.0.1:${this.peerPort}`;
    const args = ['--data-dir', this.directory, '--listen-client-urls', this.url, '--advertise-client-urls', this.url];
    args.push('--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', `default=${peer}`);
    this.child = spawn('etcd', [...args, '--logger', 'zap', ...this.flags], { stdio: 'ignore' });
    this.closed = once(this.child, 'close');
    if (this.tls) return waitFor(() => this.listens(), 20_000, () => 'etcd');
    await waitFor(() => this.get('x').then(() => true, () => false), 20_000, () => 'etcd');
  }

  listens() {
    return new Promise((resolve) => {
      const socket = net.connect(this.port, '127.0.0.1', () => resolve(true) || socket.destroy());
      socket.on('error', () => resolve(false));
    });
  }

  async stop(signal = 'SIGKILL') {
    this.child.kill(signal);
    await this.closed;
  }

  /** Calls a method of etcd's JSON gateway. */
  async call(path, body) {
    const answer = await fetch(`${this.url}/v3/${path}`, { method: 'POST', body: JSON.stringify(body) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return JSON.parse(text);
  }

  /** Returns { key, value, mod_revision, version, lease } with the value as bytes, or undefined. */
  async get(key) {
    const { kvs = [] } = await this.call('kv/range', { key: base64(key) });
    return kvs[0] && { ...kvs[0], value: Buffer.from(kvs[0].value ?? '', 'base64') };
  }

  put(key, value) {
    return this.call('kv/put', { key: base64(key), value: Buffer.from(value).toString('base64') });
  }

  /** Returns the node ports that kube-apiserver's value notes. */
  async nodePorts() {
    const { value } = await this.get('/registry/ranges/servicenodeports');
    // The bits are a field of up to 346 bytes after the range.
    let at = value.indexOf('30000-32767\x1a') + 12;
    let size = value[at++];
    if (size >= 128) size = (size & 127) | (value[at++] << 7);
    const bits = BigInt(`0x0${value.subarray(at, at + size).toString('hex')}`);
    return Array.from({ length: 2768 }, (_, i) => 30000 + i).filter((port) => (bits >> BigInt(port - 30000)) & 1n);
  }

  /** Returns all keys that begin with `prefix`, in order. */
  async keys(prefix = '/registry/') {
    const end = prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
    const { kvs = [] } = await this.call('kv/range', { key: base64(prefix), range_end: base64(end), keys_only: true });
    return kvs.map(({ key }) => Buffer.from(key, 'base64').toString());
  }
}
