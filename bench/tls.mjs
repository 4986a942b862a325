import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { binary, serve, which } from './lib/native.mjs';
import { nginx } from './lib/nginx.mjs';

export const doc = 'GET of a ConfigMap over TLS, by wrk with HTTP/1.1 and by h2load with HTTP/2, against nginx sending a file of the same bytes';
export const missing = () => (existsSync(binary) ? undefined : `${binary} is not built`) ?? ['wrk', 'h2load', 'nginx'].map((name) => (which(name) ? undefined : `${name} is missing`)).find(Boolean);

const run_ = promisify(execFile);
const kSeconds = 4;
const kRounds = 3;
const kPath = '/api/v1/namespaces/default/configmaps/small';

/** Requests per second with HTTP/1.1 on 16 connections. */
async function wrk(url) {
  const { stdout } = await run_('wrk', ['-t1', '-c16', `-d${kSeconds}s`, url]);
  return Number(stdout.match(/Requests\/sec:\s+([\d.]+)/)[1]);
}

/** Requests per second with HTTP/2, 10 streams on each of 4 connections. */
async function h2load(url) {
  const { stdout } = await run_('h2load', ['-t1', '-c4', '-m10', '-D', String(kSeconds), url]);
  return Number(stdout.match(/([\d.]+) req\/s/)[1]);
}

/** Measures in turn, so that both meet the same machine, and takes the best round of each. */
async function compare(measure, ours, peer) {
  const best = [0, 0];
  for (let round = 0; round < kRounds; ++round) {
    best[0] = Math.max(best[0], await measure(ours));
    best[1] = Math.max(best[1], await measure(peer));
  }
  return best;
}

export async function run() {
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  const folder = mkdtempSync(join(tmpdir(), 'tabernetes-bench-'));
  const server = await serve('--tls', '--cert-dir', folder, '--nodes', '0', '--controllers', 'none');
  try {
    const data = { text: 'x'.repeat(600) };
    await fetch(`${server.url}/api/v1/namespaces/default/configmaps`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ metadata: { name: 'small' }, data }) });
    const body = Buffer.from(await (await fetch(server.url + kPath)).arrayBuffer());
    const tls = { cert: join(folder, 'apiserver.crt'), key: join(folder, 'apiserver.key') };
    const peer = await nginx(body, { tls, workers: availableParallelism() });
    const rows = [];
    for (const [name, measure] of [['wrk, HTTP/1.1', wrk], ['h2load, HTTP/2', h2load]]) {
      const [ours, theirs] = await compare(measure, server.url + kPath, `https://127.0.0.1:${peer.port}/body.json`);
      rows.push(
        { measure: `${name}: ${body.length} bytes`, value: ours, unit: 'requests/s' },
        { measure: `${name}, peer: nginx`, value: theirs, unit: 'requests/s' },
        { measure: `${name}: time of ours to time of nginx`, value: theirs / ours, unit: '×', budget: 1.5 },
      );
    }
    await peer.stop();
    return rows;
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}
