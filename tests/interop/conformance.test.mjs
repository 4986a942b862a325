// The conformance cases over one etcd: what one kind of server writes, the other reads and watches. A case counts if a
// real kube-apiserver alone passes it here: those that need another clock, other flags or a cluster of their own do not.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { loadNotYetGreen, loadScenarios } from '../conformance/runner/files.mjs';
import { offRecordBefore } from '../conformance/runner/off_record.mjs';
import { describeResult } from '../conformance/runner/report.mjs';
import { callsWebhooks, runSuite } from '../conformance/runner/suite.mjs';
import { movesClock, startOf } from '../conformance/runner/transports/start.mjs';
import { Etcd, noEtcd } from '../mock-server/etcd_server.mjs';
import { binary, serve, waitFor } from '../mock-server/server.mjs';
import { kubeApiserver, startKubeApiserver } from './kube_apiserver.mjs';
import { SplitTransport } from './transport.mjs';

const skip = noEtcd ?? (kubeApiserver ? false : 'KUBE_APISERVER names no binary');
const kGates = 'CBORServingAndStorage=true';
const kToken = 'interop'; // of kube_apiserver.mjs; ours lets everybody in
const only = process.env.ONLY?.split(',') ?? [];

const kMostByChance = 10;

/** Cases that two servers answer otherwise than one, and why. */
const kOtherwise = {
  'kinds-config-policy/apiservice': 'the two objects of which versions are compared are made by each server at its start, in any order',
  'errors/quota-exceeded': 'tabernetes writes an object and the quota that counts it in one transaction, so both have one version',
  'admission/quota-scopes': 'the same',
};

/** Whether a case can be played to servers that were not started for it. */
function isPortable(recorded) {
  const { name, scenario } = recorded;
  const steps = scenario.get('steps').length;
  const aside = Array.from({ length: steps }, (_, i) => offRecordBefore(name, i)).some((extra) => extra?.advance || extra?.compact);
  return !aside && !movesClock(name) && !callsWebhooks(recorded) && startOf(name).authorizationMode === 'AlwaysAllow';
}

/** A cluster of one etcd, a real server and one of ours. */
async function startCluster() {
  const folder = mkdtempSync(join(tmpdir(), 'tabernetes-interop-'));
  const etcd = await Etcd.start(join(folder, 'etcd'));
  const real = await startKubeApiserver(etcd, folder, `--feature-gates=${kGates}`);
  await waitFor(async () => (await real.fetch('GET', '/api/v1/namespaces/default/services/kubernetes')).status === 200, 20_000);
  const native = await serve(binary, '--etcd-servers', etcd.url, '--nodes', '0', '--controllers', 'none', '--scheduler=false', '--disable-admission-plugins', 'ServiceAccount', '--feature-gates', kGates, '--ui=false');
  const stop = async () => {
    await native.stop();
    await real.stop();
    await etcd.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { real, ours: { url: native.url, token: kToken }, stop };
}

/** Plays the cases to a cluster of their own. @param {(cluster: any) => {writer: any, reader: any}} choose */
async function play(scenarios, choose) {
  const cluster = await startCluster();
  const transport = new SplitTransport(choose(cluster));
  try {
    return await runSuite(scenarios, transport);
  } finally {
    await transport.close();
    await cluster.stop();
  }
}

describe('conformance cases through two kinds of server over one etcd', { skip, timeout: 1_800_000 }, () => {
  let scenarios;

  before(async () => {
    const waiting = loadNotYetGreen();
    const portable = loadScenarios(only).filter(isPortable).filter(({ name }) => !(name in waiting || name in kOtherwise));
    const alone = await play(portable, ({ real }) => ({ writer: real, reader: real }));
    const green = new Set(alone.filter(({ failures }) => failures.length === 0).map(({ name }) => name));
    scenarios = portable.filter(({ name }) => green.has(name));
    console.log(`# of ${portable.length} cases, kube-apiserver alone passes ${scenarios.length}`);
    if (process.env.VERBOSE) for (const result of alone.filter(({ failures }) => failures.length)) console.log(describeResult(result));
  });

  const ways = {
    'kube-apiserver writes, tabernetes reads': ({ real, ours }) => ({ writer: real, reader: ours }),
    'tabernetes writes, kube-apiserver reads': ({ real, ours }) => ({ writer: ours, reader: real }),
  };
  for (const [name, choose] of Object.entries(ways)) {
    test(name, async () => {
      // Again, alone: what one server has just written the other's plugins see a moment later, as between two
      // kube-apiservers, and the events of its repair loops are seen by whoever lists events.
      const isRed = ({ failures }) => failures.length > 0;
      const first = new Set((await play(scenarios, choose)).filter(isRed).map((result) => result.name));
      assert.ok(first.size <= kMostByChance, `red at first: ${[...first].join(', ')}`);
      const red = (await play(scenarios.filter((scenario) => first.has(scenario.name)), choose)).filter(isRed);
      assert.deepEqual(red.map(describeResult), []);
    });
  }
});
