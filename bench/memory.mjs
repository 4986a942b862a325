import { measureNative, missingClusterBench } from './lib/cluster.mjs';

export const doc = 'memory that a pod takes in a cluster of 100,000';
export const missing = missingClusterBench;

export const run = () =>
  [512, 2048].flatMap((size) => measureNative('memory', size).map((row) => ({ ...row, measure: `${row.measure}, of about ${size} B` })));
