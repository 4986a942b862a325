import { importPackage, manifest, measureNative, missingClusterBench } from './lib/cluster.mjs';

export const doc = '100,000 pods from JSON, native and as WebAssembly in Node';
export const missing = missingClusterBench;

/** Bytes of a pod, the size that the budget is for. */
const kSize = 1200;

async function measurePackage() {
  const module = await importPackage();
  if (!module) return [];
  const text = manifest(kSize);
  const cluster = await module.createCluster();
  const start = performance.now();
  await cluster.load(text);
  const took = (performance.now() - start) / 1000;
  cluster.dispose();
  return [{ measure: 'WASM: load of 100,000 pods', value: took, unit: 's', budget: 3 }];
}


export const run = async () => [...measureNative('load', kSize), ...(await measurePackage())];
