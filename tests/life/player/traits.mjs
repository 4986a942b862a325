// Where the recorder's cluster and a faithful one differ for a reason that has a name. Such differences are soft. The first
// trait is the recorder's control plane's, the others are of its nodes, which did less than a kubelet does.

/** Whether a recorded pod is controlled by a Job. */
const isOfJob = (recording, name) =>
  recording.events.some(({ kind, object }) => kind === 'jobs' && name.startsWith(`${object.metadata.name}-`));

const hasReadinessGates = (recording, name) =>
  recording.events.some(
    ({ kind, object: { metadata, spec } }) =>
      kind === 'pods' && spec.readinessGates?.length > 0 && (metadata.name === name || `${metadata.generateName}<r>` === name),
  );

const podOf = (text) => /^pods\/([^: ]+)/.exec(text)?.[1];

/** @type {{name: string, modes: string[], explains: (text: string, recording: object) => boolean}[]} */
export const kTraits = [
  {
    name: 'the recorder made one more ConfigMap in every namespace',
    modes: ['kubelets', 'nodes'],
    explains: (text) => /^resourcequotas\/[^:]+: status\.used\.(count\/)?configmaps: /.test(text),
  },
  {
    name: 'a pod that is deleted while it runs ends as Failed before it goes, and its Job counts it',
    modes: ['nodes'],
    explains: (text, recording) =>
      /^jobs\/[^:]+: status\.(failed|terminating): /.test(text) ||
      (isOfJob(recording, podOf(text) ?? '') && /^pods\/[^:]+: recorded \d+ at the end, (\d+) ever; got \d+ at the end, \1 ever/.test(text)),
  },
  {
    name: 'the conditions of readiness gates are for others to set: without them a pod is not ready',
    modes: ['nodes'],
    explains: (text, recording) =>
      /^pods\/[^:]+: status\.conditions\.Ready\.status: recorded "True", got "False"/.test(text) && hasReadinessGates(recording, podOf(text)),
  },
  {
    name: 'a pod takes a moment to get ready: trigger times, which have whole seconds, may be those of the Service',
    modes: ['nodes'],
    explains: (text) => /^endpoint(slice)?s\/.*endpoints\.kubernetes\.io\/last-change-trigger-time: /.test(text),
  },
  {
    name: "a kubelet writes its pods' whole status until they are gone, and so owns in the end what others wrote there",
    modes: ['nodes'],
    explains: (text) => /^pods\/[^:]+: manager client\|Update\|status is missing$/.test(text),
  },
];

/** Returns the differences, of which those that a trait explains are soft. */
export function explained(differences, recording, mode) {
  return differences.map((one) => {
    const trait = one.hard && kTraits.find(({ modes, explains }) => modes.includes(mode) && explains(one.text, recording));
    return trait ? { ...one, hard: false, text: `${one.text} [${trait.name}]` } : one;
  });
}
