import { importPackage, manifest, measureNative, missingClusterBench } from './lib/cluster.mjs';

export const doc = 'fork of a cluster of 100,000 pods, native and as WebAssembly in Node';
export const missing = missingClusterBench;

const kForks = 200;

async function measurePackage() {
  const module = await importPackage();
  if (!module) return [];
  const cluster = await module.createCluster({ load: manifest() });
  const start = performance.now();
  for (let i = 0; i < kForks; ++i) cluster.fork().dispose();
  const each = (performance.now() - start) / kForks;
  cluster.dispose();
  return [{ measure: 'WASM: fork of 100,000 pods and as many changes', value: each, unit: 'ms', budget: 1 }];
}

export const run = async () => [...measureNative('fork'), ...(await measurePackage())];
