// The audit log of a cluster: events about requests, as kube-apiserver writes them.

/**
 * An event of audit.k8s.io/v1.
 *
 * ```ts
 * cluster.audit((event: AuditEvent) => console.log(event.verb, event.requestURI, event.responseStatus?.code));
 * ```
 */
export interface AuditEvent {
  kind: 'Event';
  apiVersion: 'audit.k8s.io/v1';
  level: 'Metadata' | 'Request' | 'RequestResponse';
  auditID: string;
  stage: 'RequestReceived' | 'ResponseStarted' | 'ResponseComplete' | 'Panic';
  requestURI: string;
  verb: string;
  user: { username?: string; uid?: string; groups?: string[]; extra?: Record<string, string[]> };
  impersonatedUser?: AuditEvent['user'];
  sourceIPs?: string[];
  userAgent?: string;
  objectRef?: { resource?: string; namespace?: string; name?: string; uid?: string; apiGroup?: string; apiVersion?: string; resourceVersion?: string; subresource?: string };
  responseStatus?: { code?: number; status?: string; reason?: string; message?: string };
  requestObject?: any;
  responseObject?: any;
  requestReceivedTimestamp: string;
  stageTimestamp: string;
  annotations?: Record<string, string>;
}

/**
 * What is logged.
 *
 * ```ts
 * const options: AuditOptions = { policy: { rules: [{ level: 'Request', verbs: ['create'] }, { level: 'None' }] } };
 * ```
 */
export interface AuditOptions {
  /**
   * A Policy of audit.k8s.io/v1, an object (`apiVersion` and `kind` may be left out) or a text of YAML or JSON. If left out,
   * one event at level Metadata for each request.
   */
  policy?: object | string;
}

/** How the core logs. */
export interface AuditLog {
  /** YAML or JSON. */
  policy: string;
  format: 'json' | 'legacy';
  /** Larger events lose their objects; 0: no limit. */
  mostBytes: number;
}

/** A cluster that gives the lines of its log, for a host that writes a file. */
export interface AuditedCluster {
  /** Ends an earlier log. Returns a warning about the policy, usually empty; throws an Error for one that is wrong. */
  auditLines(log: AuditLog, sink: (line: string) => void): string;
}

const kPolicy = { apiVersion: 'audit.k8s.io/v1', kind: 'Policy' };
const kUsual = { omitStages: ['RequestReceived', 'ResponseStarted'], rules: [{ level: 'Metadata' }] };

export const policyText = (policy: object | string = kUsual): string => (typeof policy === 'string' ? policy : JSON.stringify({ ...kPolicy, ...policy }));
