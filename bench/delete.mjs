import { measureNative, missingClusterBench } from './lib/cluster.mjs';

export const doc = 'deleting a namespace of 10,000 objects, by the control loops';
export const missing = missingClusterBench;

export const run = () => measureNative('delete');
