// The suite of backends on the model itself.
import { test } from 'node:test';
import { createCluster } from '../../dist/index.js';
import { kBackendTests, MemoryBackend } from './backend_suite.mjs';

function memory() {
  let backend = new MemoryBackend();
  return { open: async () => backend, close: async () => {}, clear: async () => void (backend = new MemoryBackend()) };
}

for (const [name, body] of Object.entries(kBackendTests)) test(name, { timeout: 60_000 }, () => body({ storage: memory(), createCluster }));
