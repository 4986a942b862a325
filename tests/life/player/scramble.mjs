// The same history with everything that chance decides decided otherwise: names, hashes, uids, times, addresses, nodes.

import { identify } from './names.mjs';
import { anyWord, kUid } from './text.mjs';

const kLetters = 'bcdfghjklmnpqrstvwxz2456789';
const kHex = '0123456789abcdef';

const word = (random, length, letters = kLetters) => Array.from({ length }, () => letters[random.below(letters.length)]).join('');

/** Returns name → another one of its sort, for the names that have a hash or a random end. */
function otherNames(names, random) {
  const others = new Map();
  for (const [name, norm] of names.names) if (norm.startsWith('<rev')) others.set(name, word(random, name.length));
  for (const { name, norm } of names.byUid.values()) {
    const [, head, tail] = /^(.*)-([^-]+)$/.exec(name) ?? [];
    if (norm.endsWith('-<r>')) others.set(name, `${others.get(head) ?? head}-${word(random, 5)}`);
    else if (/<rev\d+>$/.test(norm)) others.set(name, `${head}-${others.get(tail)}`);
  }
  return others;
}

function otherUid(random) {
  const [a, b, c, d, e] = [8, 4, 3, 3, 12].map((length) => word(random, length, kHex));
  return `${a}-${b}-4${c}-a${d}-${e}`;
}

const kSevenHours = 7 * 3600 * 1000;
const later = (time) => new Date(Date.parse(`${time}Z`) + kSevenHours).toISOString().slice(0, 19);

/** Replaces what chance decided in a text of JSON. */
function scrambleText(text, others, random) {
  const uids = new Map();
  const uid = (old) => uids.get(old) ?? uids.set(old, otherUid(random)).get(old);
  const renamed = others.size ? text.replace(new RegExp(anyWord(others.keys()), 'g'), (name) => others.get(name)) : text;
  return renamed
    .replace(new RegExp(kUid.replaceAll(String.raw`\b`, ''), 'g'), uid)
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/g, later)
    .replace(/\b10\.(244|96|0)\.(\d+)\.(\d+)\b/g, (all, net, b, c) => `10.${200 + (Number(net) % 50)}.${b}.${c}`)
    .replace(/kube-api-access-[a-z0-9]{5}/g, (name) => `kube-api-access-${[...name.slice(-5)].reverse().join('')}`)
    .replace(/"nodePort":\d+/g, () => `"nodePort":${30000 + random.below(2767)}`)
    .replace(/-(\d{8})(?=[-", ])/g, (all, minutes) => `-${Number(minutes) + 420}`);
}

const nextNode = (name) => name.replace(/^node-([123])$/, (all, index) => `node-${(index % 3) + 1}`);

/** Moves a pod to another node, and adds what a kubelet would write beside what the recorder's nodes wrote. */
function scramblePod(pod, { fixedNode }) {
  const { metadata: { labels }, spec, status } = pod;
  if (!fixedNode && spec.nodeName) {
    spec.nodeName = nextNode(spec.nodeName);
    if (labels?.['topology.kubernetes.io/zone']) labels['topology.kubernetes.io/zone'] = `z${spec.nodeName.slice(-1)}`;
  }
  status.conditions = [...(status.conditions ?? []), { type: 'PodReadyToStartContainers', status: 'True' }];
  for (const container of status.containerStatuses ?? []) Object.assign(container, { containerID: 'x://1', restartCount: 2 });
  for (const { projected } of spec.volumes ?? []) if (projected) projected.sources = projected.sources.slice(0, 3);
}

/** An Event as kubelets write them. */
function kubeletEvent(index, namespace, pod, reason) {
  const metadata = { uid: `k${index}`, name: `k${index}`, namespace };
  const involvedObject = { kind: 'Pod', name: pod.metadata.name };
  const object = { metadata, involvedObject, reason, message: 'x', type: 'Normal', source: { component: 'kubelet' } };
  return { kind: 'events', type: 'ADDED', object };
}

/** Returns a recording that says the same. */
export function scramble(recording, random) {
  const { events, actions, managers, initialNodes } = recording;
  const others = otherNames(identify(events), random);
  const text = scrambleText(JSON.stringify({ events, actions, managers, initialNodes }), others, random);
  const scrambled = { ...recording, ...JSON.parse(text) };
  const { byUid } = identify(scrambled.events);
  for (const { kind, object } of scrambled.events) {
    if (kind === 'pods') scramblePod(object, byUid.get(object.metadata.uid));
    if (kind === 'events' && object.reason === 'Scheduled') object.message = object.message.replace(/\S+$/, nextNode);
  }
  const pod = scrambled.events.find(({ kind }) => kind === 'pods')?.object;
  for (let index = 0; pod && index < 5; index++) {
    scrambled.events.push(kubeletEvent(index, recording.namespace, pod, random.pick(['Pulled', 'Created', 'Started'])));
  }
  return scrambled;
}
