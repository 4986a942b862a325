// How the server's simulated nodes are told to behave as the recorder's did: the annotation `sim` of a pod says what its
// containers do, and pods run and end at once.

const kSim = {
  slowready1: { ready: { after: '1s' } },
  slowready: { ready: { after: '3s' } },
  neverready: { ready: 'never' },
  run: { exit: 'never' },
  slowjob: { exit: { after: '3s' } },
  slowjob8: { exit: { after: '8s' } },
  fail: { exit: { after: '1s', code: 1 } },
  exit42: { exit: { after: '1s', code: 42 } },
  grace: { stop: '4s' },
  imagepull: { pull: { time: '0s', error: true } },
};

/** What is quick unless a pod says otherwise. */
const kQuick = { pull: '0s', start: '0s', stop: '0s' };

const kRules = [
  ...Object.entries(kSim).map(([sim, does]) => ({ match: { annotations: { sim } }, ...kQuick, ...does })),
  { match: { owner: 'Job' }, ...kQuick, exit: { after: '0s' } },
  kQuick,
];

/** Sets the rules. Returns nothing; a server that has no such rules stays as it is. */
export async function setBehaviour(api) {
  await api.request('PUT', '/-/tabernetes/behaviour', { body: kRules });
}
