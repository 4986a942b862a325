import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { load, missingNative, pod, request, serve } from './lib/native.mjs';

export const doc = 'POST of a new pod of 2 KiB over 64 connections: on the disk before each answer (--data-dir), and in memory';
export const missing = missingNative;

export async function run() {
  // Beside the sources, as /tmp may be in memory.
  const folder = mkdtempSync(join(import.meta.dirname ?? '.', '..', 'build', 'durable-'));
  const create = request('POST', '/api/v1/namespaces/default/pods', pod('pod-########'));
  const measure = async (...flags) => {
    const server = await serve(...flags);
    try {
      return await load(server.port, create, { connections: 64, pid: server.pid });
    } finally {
      await server.stop();
    }
  };
  try {
    const durable = await measure('--data-dir', join(folder, 'data'));
    const inMemory = await measure();
    return [
      { measure: 'create, durable', value: durable.perSecond, unit: '/s', budget: 5000, higher: true },
      { measure: 'create, durable, per second of one core', value: durable.perCpuSecond, unit: '/s' },
      { measure: 'create, in memory', value: inMemory.perSecond, unit: '/s' },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
