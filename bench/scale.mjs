import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measurePods } from './lib/cluster.mjs';

const binary = join(dirname(dirname(fileURLToPath(import.meta.url))), 'build', 'release', 'bin', 'scale_bench');

export const doc = 'what the model in docs/scale.md says, beside the core at 100,000 objects, with 10,000 watchers, and over a simulated etcd';
export const missing = () => (existsSync(binary) ? undefined : `${binary} is not built`);

export function run() {
  return measurePods(binary, [], 2048).flatMap(({ measure, value, unit, model }) => {
    if (model === undefined) return [{ measure, value, unit }];
    return [
      { measure, value, unit },
      { measure: `${measure}: the model`, value: model, unit },
      { measure: `${measure}: measured over modelled`, value: value / model, unit: '' },
    ];
  });
}
