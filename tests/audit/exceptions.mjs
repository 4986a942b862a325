// All exceptions of the comparison with the recorded audit log, with reasons. A `step` is `group/number`, or a pattern.

/** @type {{step?: RegExp, path?: RegExp, whole?: boolean, wasm?: boolean, policy?: string, error?: string, code?: number, why: string}[]} */
export const kExceptions = [
  { step: /\/67$/, path: /\.(message|kind)$/, why: 'the message of a connection to a pod on a missing node' },
  { step: /\/8[67]$/, path: /^\$\.authenticationMetadata$/, why: 'upstream first tries the kind of impersonation that worked last' },
  { step: /^(metadata|request)\/120$/, path: /^\$\.requestURI$/, why: 'a continue token of the recorded server' },
  { step: /\/110$/, whole: true, wasm: true, why: "Node.js's parser of HTTP refuses a made-up method" },
  { step: /\/136$/, whole: true, why: 'a webhook and its request have one time limit; which of them ends first is chance' },
  { step: /\/154$/, path: /\.resourceVersion$/, why: "the revision of the recorded server's cache of Endpoints" },
  { step: /\/155$/, path: /\.items\[\d\]\.(metadata\.name|conditions)/, why: 'upstream lists them in random order' },
  { step: /\/160$/, path: /^\$\.requestObject\.status\.storedVersions$/, why: 'set with the other defaults of storage' },
  { step: /\/174$/, path: /^\$\.requestObject\.status\.phase$/, why: 'set with the other defaults of storage' },
  { policy: 'bad mode', error: 'tabernetes serve: --audit-log-mode: batch, blocking or blocking-strict, not fast (see tabernetes serve --help)\n', code: 2, why: 'flags are judged before files are read' },
  { policy: 'bad format', error: 'tabernetes serve: --audit-log-format: json or legacy, not xml (see tabernetes serve --help)\n', code: 2, why: 'the same' },
  { policy: 'bad log version', error: 'tabernetes serve: --audit-log-version: audit.k8s.io/v1, not audit.k8s.io/v1beta1 (see tabernetes serve --help)\n', code: 2, why: 'the same' },
  { policy: 'bad sizes', error: 'tabernetes serve: --audit-log-maxage: a whole number up to 1000000, not -1 (see tabernetes serve --help)\n', code: 2, why: 'the same' },
];

/** Families of metrics that are missing, or whose labels have other values. @type {{family: string, missing?: boolean, labels?: boolean, why: string}[]} */
export const kLimitExceptions = [
  { family: 'apiserver_audit_event_total', missing: true, why: 'the audit log is not counted' },
  { family: 'apiserver_audit_level_total', missing: true, why: 'the same' },
  { family: 'apiserver_audit_requests_rejected_total', missing: true, why: 'the same' },
  { family: 'apiserver_longrunning_requests', labels: true, why: 'only watches count, and ours has none of its own' },
];
