// The suites of `npm test`, in the order in which they run. A new suite is one entry:
//
//   name      short, for --only and the logs
//   doc       what it shows, in a few words
//   command   program and arguments, run from the top of the repository
//   count     how to read { passed, failed } from its output; see tools/lib/counts.mjs
//   timeout   seconds, 900 unless given
//   beside    true: runs from the beginning, beside the others, with the time that they leave; here its result is shown
//   prepare   what the suite builds first, as a command: it runs beside earlier suites, with the time that they leave
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { catch2, nodeTest, summary } from './lib/counts.mjs';
import { top } from './lib/run.mjs';

const node = process.execPath;

/**
 * Returns the command for node --test on the *.test.mjs of a folder. (Versions of Node treat a folder's name
 * differently.)
 */
const nodeTests = (folder, ...flags) => [
  node,
  '--test',
  ...flags,
  ...readdirSync(join(top, folder)).filter((f) => f.endsWith('.test.mjs')).map((f) => join(folder, f)),
];

// Client connections that are cut at the end of a file's last test can leave Node.js 20 in an endless loop in its
// clean-up (Environment::CleanupHandles), after all tests have passed.
const [major, minor] = process.versions.node.split('.').map(Number);
const canForceExit = major > 22 || (major === 22 && minor >= 1) || (major === 20 && minor >= 14);
// Clients wait more than they compute: one file per core, where Node.js would leave one core free.
const clientTests = nodeTests('tests/clients', ...(canForceExit ? ['--test-force-exit', `--test-concurrency=${availableParallelism()}`] : []));

export const suites = [
  { name: 'check', doc: 'formatting, lints, types, layers', command: [node, 'tools/check.mjs'], count: summary, timeout: 1500 },
  { name: 'tools', doc: 'the scripts that build and test', command: nodeTests('tools/test'), count: nodeTest },
  { name: 'unit', doc: 'the core, folder by folder, with sanitizers', command: ['ctest', '--preset', 'dev', '--verbose', '-j', String(availableParallelism()), '-L', 'unit|property'], count: catch2 },
  { name: 'conformance-runner', doc: 'the conformance runner against its own recordings', command: nodeTests('tests/conformance/runner'), count: nodeTest },
  { name: 'mock-server', doc: 'the native host over real sockets, around a stand-in and around the core', command: nodeTests('tests/mock-server'), count: nodeTest },
  // Only where KUBE_APISERVER names a binary; elsewhere the keys and values that one wrote stand in (mock-server).
  ...(process.env.KUBE_APISERVER ? [{ name: 'interop', doc: 'a real kube-apiserver (KUBE_APISERVER) and ours over one etcd', command: nodeTests('tests/interop'), count: nodeTest }] : []),
  {
    name: 'conformance',
    doc: 'recordings of the real server and cases of our own on every host, and that the hosts agree',
    command: [node, 'tests/conformance/run.mjs', '--host', 'native,wasm-node,chromium'],
    env: { TABERNETES_BINARY: join(top, 'build', 'dev', 'bin', 'tabernetes') }, // the sanitizer build
    count: summary,
  },
  { name: 'audit', doc: 'the audit log of the native server against what a real server logged', command: nodeTests('tests/audit'), env: { TABERNETES_BINARY: join(top, 'build', 'dev', 'bin', 'tabernetes') }, count: nodeTest },
  { name: 'audit-wasm', doc: 'the same for dist/cli.js, the WASM core in Node', command: nodeTests('tests/audit'), env: { TABERNETES_BINARY: join(top, 'dist', 'cli.js') }, count: nodeTest },
  { name: 'concepts', doc: 'every statement of the tour about the API, proved natively and as WASM', command: nodeTests('tests/concepts'), count: nodeTest },
  { name: 'life-player', doc: 'the player of recordings: that its comparison is fair, and notices', command: nodeTests('tests/life/player'), count: nodeTest },
  {
    name: 'life',
    doc: "recordings of a real control plane, replayed in the cluster's time natively and as WASM, and that the hosts agree",
    command: [node, 'tests/life/run.mjs', '--host', 'native,wasm-node', '--mode', 'kubelets,nodes'],
    count: summary,
  },
  {
    name: 'life-chaos',
    doc: 'random histories of a living cluster: what must hold at every moment and at rest',
    command: [node, 'tests/life/chaos/run.mjs', '--runs', '6', '--steps', '60'],
    count: summary,
  },
  { name: 'life-forks', doc: 'forks of a rollout in flight end equal', command: nodeTests('tests/life/chaos'), count: nodeTest },
  {
    name: 'mutations',
    doc: 'damaged requests: no crash, no hang, JSON that is JSON, the same bytes natively and as WASM',
    command: [node, 'tests/conformance/mutate.mjs', '--seconds', '20'],
    env: { TABERNETES_BINARY: join(top, 'build', 'dev', 'bin', 'tabernetes') },
    count: summary,
  },
  { name: 'clients', doc: 'an unmodified kubectl and @kubernetes/client-node against the native server', command: clientTests, count: nodeTest },
  {
    name: 'clients-wasm',
    doc: 'the same clients against dist/cli.js, the WASM core in Node',
    command: clientTests,
    env: { TABERNETES_BINARY: join(top, 'dist', 'cli.js') },
    count: nodeTest,
  },
  { name: 'package', doc: 'the npm package: in Node, packed and installed, bundled, its command, its size', command: nodeTests('tests/package'), count: nodeTest },
  { name: 'backends', doc: 'one suite with a model and faults on every store that is written in JavaScript', command: nodeTests('tests/backends'), count: nodeTest },
  { name: 'entries', doc: 'the entries of the npm package for test tools, workers and sockets, in Node and Chromium', command: nodeTests('tests/entries'), count: nodeTest },
  {
    name: 'test-tools',
    doc: 'the package beside MSW, Vitest, Jest, undici, client-node, Playwright, Cypress, workerd, Deno and Bun, and in Headlamp, installed from the registry',
    command: nodeTests('tests/tools'),
    count: nodeTest,
  },
  { name: 'examples', doc: 'the dashboard of examples/: by MSW, by Playwright, against both servers', command: nodeTests('tests/examples'), count: nodeTest },
  { name: 'browser', doc: 'the playground in Chromium: on both servers, as plain files, before its WebAssembly is built', command: nodeTests('tests/browser'), count: nodeTest },
  { name: 'readme', doc: 'every snippet of the README, of the guides and of the types; links', command: nodeTests('tests/readme'), count: nodeTest },
  { name: 'guides-wasm', doc: 'every snippet of the guides, served by dist/cli.js', command: [node, '--test', 'tests/readme/guides.test.mjs'], env: { TABERNETES_BINARY: join(top, 'dist', 'cli.js') }, count: nodeTest },
  { name: 'install', doc: 'a project that finds an installed core with CMake', command: [node, 'tests/install/run.mjs'], count: summary },
  { name: 'fuzz', doc: 'a few seconds of every fuzz target', command: [node, 'tools/fuzz.mjs', '--all', '8'], count: summary },
  { name: 'soak', doc: 'five minutes of all that clients do, on the sanitizer build over TLS: nothing grows, nothing breaks', command: [node, 'tests/soak/run.mjs', '300', '1'], beside: true, count: summary, timeout: 1800 },
  {
    name: 'stress',
    doc: 'writers, watchers, readers and compactions at once on the native server under the thread sanitizer',
    command: [node, 'tools/stress.mjs', '10', '1'],
    prepare: [node, 'tools/stress.mjs', 'build'],
    count: summary,
    timeout: 1800,
  },
  {
    name: 'release',
    doc: 'packages, archives, .deb and image, each installed as a user would; licences, bytes, workflows',
    command: [node, 'tests/release/run.mjs'],
    prepare: [node, 'tests/release/run.mjs', 'build'],
    count: nodeTest,
    timeout: 1800,
  },
];
