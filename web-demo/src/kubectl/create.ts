// kubectl create: the objects of manifests, or one that words and flags describe.
import { createFromManifests } from './apply';
import { clusterRole, clusterRoleBinding, role, roleBinding } from './create/access';
import { configMap, disruptionBudget, priorityClass, quota, secret } from './create/data';
import { ingress, service } from './create/network';
import { cronJob, deployment, job } from './create/workloads';
import type { Flags } from './flags';
import { Printer } from './printer';
import { allResources, pathOf, resourceOfKind } from './resources';
import { type Caller, CommandError, type KubeObject, ServerError } from './session';
import { typed } from './typed';

type Make = (flags: Flags, name: string, caller: Caller, namespace: string) => KubeObject | Promise<KubeObject>;

interface Kind {
  make: Make;
  /** How a refusal begins; empty: as other commands'. */
  fault: string;
  /** Other names. */
  also?: readonly string[];
  /** The kinds of the kind, which come before the name. */
  kinds?: readonly string[];
}

const plain = (kind: string): Make => (_flags, name) => ({ apiVersion: 'v1', kind, metadata: { name } });

const kKinds: Readonly<Record<string, Kind>> = {
  clusterrole: { make: clusterRole, fault: '' },
  clusterrolebinding: { make: clusterRoleBinding, fault: 'failed to create clusterrolebinding: ' },
  configmap: { make: configMap, fault: 'failed to create configmap: ', also: ['cm'] },
  cronjob: { make: cronJob, fault: 'failed to create cronjob: ', also: ['cj'] },
  deployment: { make: deployment, fault: 'failed to create deployment: ', also: ['deploy', 'dep'] },
  ingress: { make: ingress, fault: 'failed to create ingress: ', also: ['ing'] },
  job: { make: job, fault: 'failed to create job: ' },
  namespace: { make: plain('Namespace'), fault: '', also: ['ns'] },
  poddisruptionbudget: { make: disruptionBudget, fault: 'failed to create poddisruptionbudgets: ', also: ['pdb'] },
  priorityclass: { make: priorityClass, fault: 'failed to create priorityclass: ', also: ['pc'] },
  quota: { make: quota, fault: 'failed to create quota: ', also: ['resourcequota'] },
  role: { make: role, fault: '' },
  rolebinding: { make: roleBinding, fault: 'failed to create rolebinding: ' },
  secret: { make: (flags, name, caller) => secret(flags, name, caller, flags.rest[1] ?? ''), fault: 'failed to create secret ', kinds: ['docker-registry', 'generic', 'tls'] },
  service: { make: (flags, name) => service(flags, name, flags.rest[1] ?? ''), fault: 'failed to create {type} service: ', also: ['svc'], kinds: ['clusterip', 'externalname', 'loadbalancer', 'nodeport'] },
  serviceaccount: { make: plain('ServiceAccount'), fault: 'failed to create serviceaccount: ', also: ['sa'] },
};

export const kCreated = [...Object.keys(kKinds), 'token'];

export async function create(caller: Caller, flags: Flags, namespace: string, input: string | undefined): Promise<number> {
  const [word = '', ...rest] = flags.rest;
  if (flags.has('filename') || word === '') return createFromManifests(caller, flags, namespace, input);
  if (word === 'token') return token(caller, flags, namespace);
  const [called, kind] = Object.entries(kKinds).find(([name, { also }]) => name === word || also?.includes(word)) ?? [];
  if (!kind) throw new CommandError(`error: Unexpected args: [${flags.rest.join(' ')}]\nSee 'kubectl create -h' for help and examples`);
  const names = kind.kinds ? rest.slice(1) : rest;
  const command = ['create', called, ...(kind.kinds ? rest.slice(0, 1) : [])].join(' ');
  if (names.length !== 1) throw new CommandError(`error: exactly one NAME is required, got ${names.length}\nSee 'kubectl ${command} -h' for help and examples`);
  const object = await kind.make(flags, names[0]!, caller, namespace);
  const place = flags.has('namespace') ? { namespace: flags.get('namespace') } : {};
  const printer = new Printer(caller, flags);
  const resource = resourceOfKind(await allResources(caller), object);
  const wanted = resource.namespaced ? { ...object, metadata: { ...object.metadata, ...place } } : object;
  const now = printer.client ? wanted : await sent(caller, printer.target(pathOf(resource, namespace), 'kubectl-create', { fieldValidation: 'Strict' }), wanted, kind.fault);
  printer.done({ resource, object: typed(now) }, 'created');
  return 0;
}

/** Sends an object; a refusal begins with `fault`. */
async function sent(caller: Caller, target: string, object: KubeObject, fault: string): Promise<KubeObject> {
  try {
    return await caller.json('POST', target, object);
  } catch (refusal) {
    if (!(refusal instanceof ServerError) || fault === '') throw refusal;
    throw new CommandError(`error: ${fault.replace('{type}', object.spec?.type)}${refusal.said}`);
  }
}

/** `create token ACCOUNT` */
async function token(caller: Caller, flags: Flags, namespace: string): Promise<number> {
  const [, account = '', ...more] = flags.rest;
  if (account === '' || more.length > 0) throw new CommandError(`error: exactly one NAME is required, got ${flags.rest.length - 1}\nSee 'kubectl create token -h' for help and examples`);
  const seconds = secondsOf(flags.get('duration'));
  const spec = { audiences: flags.all('audience'), ...(seconds > 0 ? { expirationSeconds: seconds } : {}) };
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`;
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: {}, spec } as unknown as KubeObject;
  const answer = await sent(caller, path, request, 'failed to create token: ');
  caller.terminal.out(`${answer.status.token}\n`);
  return 0;
}

/** `1h30m` */
const secondsOf = (text: string) => [...text.matchAll(/(\d+)([hms])/g)].reduce((sum, [, count, unit]) => sum + Number(count) * { h: 3600, m: 60, s: 1 }[unit as 'h']!, 0);
