import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { binary, median, missingNative } from './lib/native.mjs';

export const doc = 'process start to first answered request, native';
export const missing = missingNative;

/** Returns the milliseconds from the start of the process to the end of its first answer. */
async function startOnce() {
  const start = performance.now();
  const child = spawn(binary, ['serve', '--listen', '127.0.0.1:0', '--ui=false'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  const url = String(line).trim().split(' ').pop();
  const [answer] = await once(http.get(`${url}/api/v1/namespaces`, { agent: false }), 'response');
  answer.resume();
  await once(answer, 'end');
  const took = performance.now() - start;
  if (answer.statusCode !== 200) throw new Error(`the first answer was ${answer.statusCode}`);
  child.kill('SIGKILL');
  await once(child, 'close');
  return took;
}

/** Returns the milliseconds of starting a program that does nothing. */
async function floorOnce() {
  const start = performance.now();
  await once(spawn('true', { stdio: ['ignore', 'pipe', 'inherit'] }), 'close');
  return performance.now() - start;
}

export async function run() {
  spawnSync(binary, ['version']); // into the page cache
  const [times, floors] = [[], []];
  for (let i = 0; i < 21; ++i) {
    times.push(await startOnce());
    floors.push(await floorOnce());
  }
  return [
    { measure: 'median of 21', value: median(times), unit: 'ms', budget: 15 },
    { measure: 'fastest', value: Math.min(...times), unit: 'ms' },
    { measure: 'peer: starting `true`', value: median(floors), unit: 'ms' },
  ];
}
