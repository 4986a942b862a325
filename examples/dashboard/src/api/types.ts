// The parts of the API's objects that this page uses.

export interface ObjectMeta {
  name: string;
  namespace: string;
  uid: string;
  resourceVersion: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
  deletionTimestamp?: string;
}

export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}

export interface Deployment extends KubernetesObject {
  spec: { replicas: number; template: { spec: { containers: { name: string; image: string }[] } } };
  status?: { readyReplicas?: number };
}

/** A list; its items have neither `apiVersion` nor `kind`. */
export interface List<T extends KubernetesObject> {
  apiVersion: string;
  kind: string;
  metadata: { resourceVersion: string };
  items: Omit<T, 'apiVersion' | 'kind'>[];
}

/** What the server says of a request that failed. */
export interface Status {
  kind: 'Status';
  code: number;
  reason: string;
  message: string;
}

export type WatchEvent<T> =
  | { type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'; object: T }
  | { type: 'ERROR'; object: Status };
