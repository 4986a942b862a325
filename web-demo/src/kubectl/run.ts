// kubectl run
import { given, pairOf } from './create/words';
import type { Flags } from './flags';
import { Printer } from './printer';
import { allResources, resourceOfKind } from './resources';
import { type Caller, CommandError, type KubeObject } from './session';
import { typed } from './typed';

const kRestart = ['Always', 'OnFailure', 'Never'];

export async function runPod(caller: Caller, flags: Flags, namespace: string): Promise<number> {
  const [name = '', ...more] = flags.rest;
  if (name === '') throw usage('NAME is required for run');
  if (!flags.has('image')) throw new CommandError('error: required flag(s) "image" not set');
  if (flags.has('restart') && !kRestart.includes(flags.get('restart'))) throw usage(`invalid restart policy: ${flags.get('restart')}`);
  if (flags.is('expose') && !flags.has('port')) throw usage('--port must be set when exposing a service');
  const printer = new Printer(caller, flags);
  const all = await allResources(caller);
  const make = async (object: KubeObject, plural: string) => {
    const path = `/api/v1/namespaces/${namespace}/${plural}`;
    const now = printer.client ? typed(object) : await caller.json('POST', printer.target(path, 'kubectl-run'), object);
    printer.done({ resource: resourceOfKind(all, object), object: now }, 'created');
    if (printer.format === 'yaml' && flags.is('expose') && plural === 'services') caller.terminal.out('---\n');
  };
  const pod = podOf(flags, name, [...more, ...flags.after], flags.has('namespace') ? namespace : '');
  if (flags.is('expose')) await make(serviceOf(pod), 'services');
  await make(pod, 'pods');
  return 0;
}

const usage = (text: string) => new CommandError(`error: ${text}\nSee 'kubectl run -h' for help and examples`);

function podOf(flags: Flags, name: string, words: string[], namespace: string): KubeObject {
  const bad = flags.all('env').find((each) => !each.includes('='));
  if (bad !== undefined) throw new CommandError(`error: invalid env: ${bad}`);
  const labels = flags.has('labels') ? Object.fromEntries(flags.get('labels').split(',').map(pairOf)) : { run: name };
  const annotations = Object.fromEntries(flags.all('annotations').map(pairOf));
  const container = {
    name,
    image: flags.get('image'),
    ...given({
      [flags.is('command') ? 'command' : 'args']: words,
      env: flags.all('env').map(pairOf).map(([key, value]) => ({ name: key, ...given({ value }) })),
      ports: flags.all('port').map((port) => ({ containerPort: Number(port) })),
      imagePullPolicy: flags.get('image-pull-policy'),
    }),
    ...(flags.is('stdin') ? { stdin: true, stdinOnce: true } : {}),
    ...(flags.is('tty') ? { tty: true } : {}),
  };
  const metadata = { name, labels, ...(flags.has('annotations') ? { annotations } : {}), ...given({ namespace }) };
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [container], dnsPolicy: 'ClusterFirst', restartPolicy: flags.get('restart') || 'Always' } };
}

/** The service of `--expose`. */
function serviceOf({ metadata, spec }: KubeObject): KubeObject {
  const port = spec.containers[0].ports[0].containerPort as number;
  const { name, namespace } = metadata;
  return { apiVersion: 'v1', kind: 'Service', metadata: { name, ...given({ namespace }) }, spec: { ports: [{ port, targetPort: port, protocol: 'TCP' }], selector: metadata.labels } };
}
