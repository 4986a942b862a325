// All exceptions of the comparison, with reasons. Everything else in a recording must be answered exactly.

/** Headers that are compared; the others (Audit-Id, Date, the two Pf headers, framing) are not. */
export const kComparedHeaders = [
  'content-type',
  'warning',
  'retry-after',
  'cache-control',
  'vary',
  'etag',
  'content-encoding',
  'location',
  'allow',
  'www-authenticate',
  'sec-websocket-protocol',
  'sec-websocket-version',
];

/** Headers of the transport rather than the server: ignored when hosts are compared with each other. */
export const kTransportHeaders = new Set([
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'upgrade',
  'sec-websocket-accept',
  'server',
]);

/** Scenarios in which the real server lists causes, rules or warnings in random order. */
const kUnordered = new Set([
  'auth/ssar-ssrr-lsar',
  'content/warnings',
  'crd/schema-errors',
  'crd/cel',
  'crd/invalid-non-structural',
  'crd/invalid-list-map',
  'validation/pod-bad-annotations', // iterates over a Go map, as for labels
  'validation/pod-bad-labels',
  'validation/pod-bad-resource-name',
  'validation/configmap-bad-keys',
]);

/**
 * Values of which only the JSON type is compared.
 * @type {{scenario: string, step?: number, path: RegExp, why: string}[]}
 */
const kAnyValue = [
  { scenario: 'discovery/version', path: /^\$\.(git\w+|buildDate|goVersion|compiler|platform)$/, why: 'the build' },
  { scenario: 'errors/unauthorized', step: 3, path: /^\$\.(git\w+|buildDate|goVersion|compiler|platform)$/, why: 'the build' },
  { scenario: 'discovery/root', path: /^\$\.paths$/, why: 'the build' },
  { scenario: 'discovery/api', path: /serverAddress$/, why: "the recorded server's port" },
  { scenario: 'discovery/other-endpoints', path: /^\$\.jwks_uri$/, why: "the recorded server's port" },
  { scenario: 'kinds-network-storage/kubernetes-service', path: /\.targetPort$/, why: "the recorded server's port" },
  { scenario: 'crd/columns', step: 3, path: /^\$\.rows\[0\]\.cells\[5\]$/, why: 'the age of a fixed date, told on the day of the recording' },
  { scenario: 'crd/patches', step: 6, path: /^\$\.spec\.m\.f$/, why: 'the recorder could not read a half float' },
  { scenario: 'list/rv-compacted', path: /^\{\{continue:2\}\}\.rv$/, why: 'a version before the first' },
  { scenario: 'errors/unknown-paths', step: 8, path: /^\$\.items$/, why: 'objects of other scenarios' },
];

/** Headers of which only the presence is compared. */
const kAnyHeader = [{ scenario: 'discovery/openapi-v3-errors', header: 'location', why: 'holds a hash of the OpenAPI document' }];

/**
 * Texts of a recording that are replaced before it is used.
 * @type {{scenario: string, find: RegExp, put: string, why: string}[]}
 */
const kBlemishes = [
  { scenario: 'errors/generate-name', find: /Bad_wsnws/g, put: 'Bad_{{suffix:91}}', why: 'a generated name' },
  { scenario: 'validation/pod-bad-generatename', find: /Up_jtq2q/g, put: 'Up_{{suffix:91}}', why: 'a generated name' },
  {
    scenario: 'auth/ssar-ssrr-lsar',
    find: /,\{"verbs":\["get"\],"nonResourceURLs":\["\/\.well-known","\/\.well-known\/\*"\]\}/g,
    put: '',
    why: "another scenario's role",
  },
  // Which of two pods with generated names came first.
  { scenario: 'controllers/deployment', find: /Created pod: web-857dc6bf6b-\{\{suffix:(\d)\}\}/g, put: 'Created pod: web-857dc6bf6b-{{keyID:9$1}}', why: 'chance' },
  { scenario: 'controllers/deployment', find: /\b13,\s*5,\s*10,\s*4,\s*12,\s*3\b/, put: '13,3', why: 'chance' },
  { scenario: 'controllers/replicaset', find: /rs-m8tlx/g, put: 'rs-{{suffix:91}}', why: 'a generated name' },
  { scenario: 'controllers/cronjob', find: /29919571-g6vdg/g, put: '29919571-{{suffix:91}}', why: 'a generated name' },
  { scenario: 'controllers/cronjob', find: /tick-29919571/g, put: 'tick-{{ordinal:91}}', why: 'the minute of the recording' },
  { scenario: 'controllers/statefulset', find: /db-\{\{suffix:(\d)\}\}/g, put: 'db-{{ordinal:$1}}', why: 'ordinals' },
  { scenario: 'controllers/statefulset', find: /18e9bd700d6b4158/g, put: '{{suffix:92}}', why: 'a generated name' },
  { scenario: 'controllers/statefulset', find: /18e9bd705330524c/g, put: '{{suffix:93}}', why: 'a generated name' },
  { scenario: 'discovery/openapi-v3-index', find: /,"apis\/g17\.example\.com(\/v1)?":\{"serverRelativeURL":"[^"]*"\}/g, put: '', why: "another scenario's CRD" },
  { scenario: 'subresources/node-status-lease', find: / on 10\.255\.255\.53:53/g, put: '', why: "the recorder's name server" },
  ...['failures-validating-fail', 'failures-mutating-fail'].map((name) => ({ scenario: `webhooks/${name}`, find: / on \{\{dns\}\}/g, put: '', why: "the recorder's name server" })),
  // The recorder changed the answer for its next request before it noted it.
  { scenario: 'webhooks/validating-verbs', find: /("resourceVersion":"\{\{rv:2\}\}"(?:(?!"resourceVersion").)*?"a":"1"),"b":"2"(\}\}\}\})/s, put: '$1$2', why: 'the recorder' },
  { scenario: 'tables/table-options', find: /\\n {2}- \d+s\\n/g, put: '\\n  - {{age}}\\n', why: 'an age' },
];

/** Checks of /healthz?verbose and similar paths: the names depend on the build. */
const kHealthCheckLine = /^\[\+\]\S+ (excluded: )?ok\n/gm;

/**
 * Repairs the blemishes of one scenario.
 * @param {string} scenario topic/name @param {string} text its JSON
 */
export function repairBlemishes(scenario, text) {
  return kBlemishes.filter((each) => each.scenario === scenario).reduce((repaired, each) => repaired.replace(each.find, each.put), text);
}

/**
 * Returns the exceptions for the comparison of one step.
 * @param {string} scenario topic/name @param {number | null} step null: at the end
 */
export function rulesFor(scenario, step) {
  const here = (each) => each.scenario === scenario && (each.step ?? step) === step;
  const paths = kAnyValue.filter(here).map((each) => each.path);
  const headers = kAnyHeader.filter(here).map((each) => each.header);
  return {
    unordered: kUnordered.has(scenario),
    anyValue: (path) => paths.some((pattern) => pattern.test(path)),
    anyHeader: (name) => headers.includes(name),
    text: scenario === 'discovery/health' ? (text) => text.replace(kHealthCheckLine, '') : (text) => text,
  };
}
