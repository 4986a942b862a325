// The native server and load on it, for the benchmarks.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const top = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const binary = process.env.TABERNETES ?? join(top, 'build', 'native', 'tabernetes');
const loadGenerator = join(top, 'build', 'release', 'bin', 'load_generator');

/** Returns the reason why the native benchmarks cannot run, or undefined. */
export function missingNative() {
  for (const file of [binary, loadGenerator]) if (!existsSync(file)) return `${file} is not built`;
  return undefined;
}

/** Flags for the API server alone, as kube-apiserver is: no control loops, scheduler or nodes answer what is written. */
export const kApiAlone = ['--nodes', '0', '--controllers', 'none', '--scheduler=false'];

/** Starts the server on a free port and returns { url, port, stop }. */
export async function serve(...args) {
  const child = spawn(binary, ['serve', '--listen', '127.0.0.1:0', '--ui=false', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.setEncoding('utf8');
  let output = '';
  while (!output.includes('\n')) {
    const ended = await Promise.race([once(child.stdout, 'data').then(([text]) => ((output += text), false)), once(child, 'close').then(() => true)]);
    if (ended) throw new Error(`${binary} did not start`);
  }
  const url = output.trim().split(' ').pop();
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid,
    async stop() {
      child.kill();
      await once(child, 'close');
    },
  };
}

/** Returns the seconds of processor time that a process has used. */
export function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100; // utime and stime, in ticks that Linux reports as 1/100 s
}

/**
 * Sends one request repeatedly and returns { seconds, requests, bytes, perSecond }. With the server's `pid` also
 * perCpuSecond: the rate of one core, however busy the machine is.
 */
export async function load(port, request, { connections = 16, seconds = 5, pid } = {}) {
  const before = pid && cpuSeconds(pid);
  const child = spawn(loadGenerator, ['127.0.0.1', String(port), String(connections), String(seconds)], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(request);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`the load generator ended with ${code}`);
  const result = JSON.parse(output);
  if (result.failed) throw new Error(`${result.failed} of ${result.requests} answers were errors`);
  const perCpuSecond = pid && result.requests / (cpuSeconds(pid) - before);
  return { ...result, perSecond: result.requests / result.seconds, perCpuSecond };
}

/** Returns the bytes of an HTTP request. */
export function request(method, target, body, headers = {}) {
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: 127.0.0.1', ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  if (body !== undefined) lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

/** Returns a pod whose stored JSON has about `size` bytes. */
export function pod(name, size = 2048) {
  const make = (filler) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'default',
      labels: { app: 'shop', tier: 'web', 'app.kubernetes.io/name': 'shop', 'app.kubernetes.io/part-of': 'bench' },
      annotations: { 'bench.tabernetes.dev/filler': filler },
    },
    spec: {
      containers: [
        {
          name: 'web',
          image: 'registry.example.com/shop/web:1.4.2',
          args: ['--port=8080', '--log-level=info'],
          env: [{ name: 'POD_NAME', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } }, { name: 'MODE', value: 'production' }],
          ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
          resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { cpu: '500m', memory: '256Mi' } },
        },
      ],
    },
  });
  const bare = JSON.stringify(make('')).length + 120; // uid, creationTimestamp, resourceVersion
  return JSON.stringify(make('x'.repeat(Math.max(0, size - bare))));
}

/** Returns the path of a program, or undefined. */
export function which(program) {
  const { status, stdout } = spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8', env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` } });
  return status === 0 ? stdout.trim() : undefined;
}

export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
