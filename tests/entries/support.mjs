// Shared by the tests of the entries.
export { createCluster } from '../../dist/index.js';
export { eventReader, kPods, littleSuite, pod, socketSuite, soon } from './little_suite.mjs';
export const dist = new URL('../../dist/', import.meta.url);
