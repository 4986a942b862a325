/**
 * A Kubernetes API server in this realm: no process, no container, no network.
 *
 * ```ts
 * import { createCluster } from 'tabernetes';
 *
 * const cluster = await createCluster({ load: podYaml });
 * const response = await cluster.fetch('/api/v1/namespaces/default/pods');
 * console.log((await response.json()).items.length);
 * cluster.dispose();
 * ```
 *
 * @module tabernetes
 */
export type { AdmissionAnswer, AdmissionControl, AdmissionFunction, AdmissionOptions, AdmissionResponse, AdmissionReview } from './admission.js';
export type { AuditEvent, AuditOptions } from './audit.js';
export type { Backend, Batch, Change, Outcome, Stored, StoredChange } from './backend.js';
export type { BehaviourControl, Cluster, FaultControl, FaultCount, SettleOptions, Step, StepChange } from './cluster.js';
export type {
  ContainerCommand,
  ContainerControl,
  ContainerExec,
  ContainerPod,
  ContainerPort,
  ContainerRule,
  ContainerRun,
  ExecAnswer,
  ExecFunction,
  LogFunction,
  LogLine,
  LogLines,
  PortAnswer,
  PortFunction,
} from './containers.js';
export { createCluster } from './create.js';
/** @internal For the package's own entries. */
export { startCluster } from './start.js';
/** @internal */
export { provideKept } from './create.js';
export {
  decode,
  encode,
  StatusError,
  type EncodingOptions,
  type KubernetesObject,
  type Status,
  type WatchEvent,
  type WatchMediaType,
} from './encoding.js';
export type { AccessExplanation, AccessQuestion, AuthorizerStep, BindingStep, RequestExplanation, RequestQuestion } from './explain.js';
export type { Identity } from './identity.js';
export { LoadError, type LoadFault } from './load.js';
export type { ApplyObjectOptions } from './objects.js';
export type { BinarySource, ClusterOptions, FetchWebhook, KeptCluster, KeptClusterOptions, Manifest, SnapshotDocument, WasmSource, WebhookService } from './options.js';
export {
  applyPatch,
  fieldOwners,
  serverSideApply,
  type ApplyConflict,
  type ApplyOptions,
  type ApplyResult,
  type FieldManager,
  type OwnedField,
  type PatchMediaType,
  type PatchOptions,
} from './patch.js';
export type { RemoteCluster } from './entries/remote.js';
export type { Peer, RawRequest, RawResponse } from './raw.js';
export { matches, parseFieldSelector, parseSelector, type Selector, type SelectorTerm } from './selector.js';
export type { LoggedRequest, RequestLog, RequestMatch, WaitOptions } from './request-log.js';
export { ready, type ReadyOptions } from './shared.js';
export { compareResourceVersions } from './versions.js';
