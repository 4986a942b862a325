// Names and uids of a recording are replaced by those of the objects that stand in their places in the replay.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StandIns } from './stand_ins.mjs';

const kUids = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222', '33333333-3333-4333-8333-333333333333', '44444444-4444-4444-8444-444444444444'];

const pod = (t, uid, name, more = {}) => ({
  t,
  kind: 'pods',
  type: more.type ?? 'ADDED',
  object: { metadata: { uid, name, generateName: 'web-', namespace: 'n', ownerReferences: more.owners }, spec: { nodeName: more.node } },
});

test('the first pod stands for the first, the second for the second', () => {
  const recording = { events: [pod(1, kUids[0], 'web-aaaaa'), pod(2, kUids[1], 'web-bbbbb')] };
  const standIns = new StandIns(recording, [], [pod(1, kUids[2], 'web-xxxxx'), pod(2, kUids[3], 'web-yyyyy')]);
  assert.deepEqual(standIns.rename({ path: '/pods/web-bbbbb', uid: kUids[1] }, 3), { path: '/pods/web-yyyyy', uid: kUids[3] });
  assert.equal(standIns.rename('web-aaaaa', 3), 'web-xxxxx');
});

test('a pod that was gone by then takes no place', () => {
  const recording = { events: [pod(1, kUids[0], 'web-aaaaa'), pod(2, kUids[1], 'web-bbbbb'), pod(3, kUids[0], 'web-aaaaa', { type: 'DELETED' })] };
  const standIns = new StandIns(recording, [], [pod(1, kUids[2], 'web-xxxxx')]);
  assert.equal(standIns.rename('web-bbbbb', 4), 'web-xxxxx');
});

test("of a DaemonSet's pods, the one on the same node", () => {
  const owners = [{ kind: 'DaemonSet', name: 'web', controller: true }];
  const recording = { events: [pod(1, kUids[0], 'web-aaaaa', { owners, node: 'node-1' }), pod(2, kUids[1], 'web-bbbbb', { owners, node: 'node-2' })] };
  const live = [pod(1, kUids[2], 'web-xxxxx', { owners, node: 'node-2' }), pod(2, kUids[3], 'web-yyyyy', { owners, node: 'node-1' })];
  assert.equal(new StandIns(recording, [], live).rename('web-aaaaa', 3), 'web-yyyyy');
});

test('names that nothing stands for stay', () => {
  const recording = { events: [pod(1, kUids[0], 'web-aaaaa')] };
  assert.equal(new StandIns(recording, [], []).rename('web-aaaaa other', 3), 'web-aaaaa other');
});
