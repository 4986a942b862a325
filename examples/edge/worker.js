// Clusters at the edge: the first segment of the path names one, https://worker.example/demo/api/v1/pods. Each is stored in
// its Durable Object.
import { clusterObject, serveObjects } from 'tabernetes/edge';
import wasm from 'tabernetes/tabernetes.wasm';

export const ClusterObject = clusterObject({ wasm });
export default serveObjects('CLUSTER', 'path');
