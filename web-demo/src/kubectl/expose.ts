// kubectl expose and autoscale: a service or an autoscaler for something else.
import { choose, chosen, ended } from './chosen';
import { given, intOrString, mapOf } from './create/words';
import type { Flags } from './flags';
import type { Found } from './output';
import { Printer } from './printer';
import { allResources, pathOf, resourceOfKind } from './resources';
import { type Caller, CommandError, type KubeObject } from './session';
import { typed } from './typed';

const kExposed = ['ReplicationController', 'Service', 'Pod', 'Deployment', 'ReplicaSet'];

interface Port {
  port: number;
  protocol: string;
}

export async function expose(caller: Caller, flags: Flags, namespace: string, input: string | undefined): Promise<number> {
  const { found, faults } = await choose(caller, withoutSelector(flags), namespace, flags.rest, input);
  const printer = new Printer(caller, flags);
  for (const one of found) {
    const service = serviceFor(one, flags);
    await make(caller, printer, service, flags.has('namespace') ? namespace : '', namespace, 'kubectl-expose', 'exposed');
  }
  return ended(caller, faults);
}

/** The selector is the service's, not what chooses the objects. */
function withoutSelector(flags: Flags): Flags {
  return new Proxy(flags, {
    get: (target, key) => {
      if (key === 'has') return (name: string) => name !== 'selector' && target.has(name);
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
    },
  });
}

function serviceFor({ resource, object }: Found, flags: Flags): KubeObject {
  const { kind, metadata } = object;
  if (!kExposed.includes(kind)) throw new CommandError(`error: cannot expose a ${kind}${resource.group === '' ? '' : `.${resource.group}`}`);
  const selector = flags.has('selector') ? mapOf(flags.get('selector'), (part) => `unexpected label spec: ${part}`) : selectorOf(object);
  const ports = portsOf(object, flags);
  const labels = flags.has('labels') ? mapOf(flags.get('labels'), (part) => `unexpected label spec: ${part}`) : metadata.labels;
  const target = flags.get('target-port');
  const several = ports.length > 1;
  const spec = {
    ...given({
      ports: ports.map(({ port, protocol }, index) => ({ ...(several ? { name: `port-${index + 1}` } : {}), port, protocol, targetPort: target === '' ? port : intOrString(target) })),
      externalIPs: flags.has('external-ip') ? [flags.get('external-ip')] : [],
      type: flags.get('type'),
      sessionAffinity: flags.get('session-affinity'),
      clusterIP: flags.get('cluster-ip'),
    }),
    selector,
  };
  return { apiVersion: 'v1', kind: 'Service', metadata: { name: flags.get('name') || metadata.name.slice(0, 63), ...(labels ? { labels } : {}) }, spec };
}

function selectorOf({ kind, metadata, spec }: KubeObject): Record<string, string> {
  const refused = (why: string) => new CommandError(`error: couldn't retrieve selectors via --selector flag or introspection: ${why}`);
  if (kind === 'Pod') {
    if (!metadata.labels) throw refused('the pod has no labels and cannot be exposed');
    return metadata.labels;
  }
  if (kind === 'Service' || kind === 'ReplicationController') {
    if (!spec.selector) throw refused(`the ${kind === 'Service' ? 'service' : 'replication controller'} has no pod selector set`);
    return spec.selector as Record<string, string>;
  }
  if (spec.selector?.matchExpressions?.length > 0) throw refused(`couldn't convert expressions - "${JSON.stringify(spec.selector.matchExpressions)}" to map-based selector format`);
  return spec.selector?.matchLabels ?? {};
}

function portsOf({ kind, spec }: KubeObject, flags: Flags): Port[] {
  const pod = kind === 'Pod' ? spec : spec?.template?.spec;
  const own: Port[] =
    kind === 'Service'
      ? (spec.ports ?? []).map(({ port, protocol }: Port) => ({ port, protocol }))
      : ((pod?.containers ?? []) as { ports?: { containerPort: number; protocol?: string }[] }[]).flatMap(({ ports = [] }) => ports.map(({ containerPort, protocol = 'TCP' }) => ({ port: containerPort, protocol })));
  const wanted = flags.has('port') ? flags.get('port').split(',').map(Number) : own.map(({ port }) => port);
  if (wanted.length === 0 && flags.get('cluster-ip') !== 'None') throw new CommandError("error: couldn't find port via --port flag or introspection");
  return wanted.map((port) => ({ port, protocol: flags.get('protocol') || own.find((each) => each.port === port)?.protocol || 'TCP' }));
}

const kScaled = ['ReplicationController', 'Deployment', 'ReplicaSet', 'StatefulSet'];

export async function autoscale(caller: Caller, flags: Flags, namespace: string, input: string | undefined): Promise<number> {
  if (!flags.has('max')) throw new CommandError('error: required flag(s) "max" not set');
  const [min, max, percent] = [Number(flags.get('min') || -1), Number(flags.get('max')), Number(flags.get('cpu-percent') || -1)];
  if (max < 1) throw new CommandError(`error: --max=MAXPODS is required and must be at least 1, max: ${max}`);
  if (max < min) throw new CommandError(`error: --max=MAXPODS must be larger or equal to --min=MINPODS, max: ${max}, min: ${min}`);
  const printer = new Printer(caller, flags);
  for (const { resource, object } of await chosen(caller, flags, namespace, flags.rest, input)) {
    const { apiVersion, kind, metadata } = object;
    if (!kScaled.includes(kind)) throw new CommandError(`error: cannot autoscale a ${kind}: could not find scale subresource for ${resource.group}/${resource.version}, Resource=${resource.name} in discovery information`);
    const spec = { scaleTargetRef: { apiVersion, kind, name: metadata.name }, maxReplicas: max, ...(min > 0 ? { minReplicas: min } : {}), ...(percent >= 0 ? { targetCPUUtilizationPercentage: percent } : {}) };
    const made = { apiVersion: 'autoscaling/v1', kind: 'HorizontalPodAutoscaler', metadata: { name: flags.get('name') || metadata.name }, spec };
    await make(caller, printer, made, flags.has('namespace') ? namespace : '', namespace, 'kubectl-autoscale', 'autoscaled');
  }
  return 0;
}

/** `shown`: the namespace that a client's dry run prints. */
async function make(caller: Caller, printer: Printer, object: KubeObject, shown: string, namespace: string, manager: string, said: string): Promise<void> {
  const resource = resourceOfKind(await allResources(caller), object);
  const placed = { ...object, metadata: { ...object.metadata, ...given({ namespace: shown }) } };
  const now = printer.client ? placed : await caller.json('POST', printer.target(pathOf(resource, namespace), manager), object);
  printer.done({ resource, object: typed(now) }, said);
}
