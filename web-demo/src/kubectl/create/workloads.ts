// kubectl create deployment, job, cronjob
import type { Flags } from '../flags';
import { type Caller, CommandError, type KubeObject } from '../session';
import { given } from './words';

const nameOfImage = (image: string) => image.split('/').at(-1)!.split(/[:@]/)[0]!;

export function deployment(flags: Flags, name: string): KubeObject {
  const images = flags.all('image').flatMap((each) => each.split(','));
  if (images.length === 0) throw new CommandError('error: required flag(s) "image" not set');
  if (images.length > 1 && flags.after.length > 0) throw new CommandError('error: cannot specify multiple --image options and command');
  const labels = { app: name };
  const port = flags.get('port');
  const containers = images.map((image, index) => ({
    name: nameOfImage(image),
    image,
    ...given({ command: flags.after }),
    ...(port !== '' && index === 0 ? { ports: [{ containerPort: Number(port) }] } : {}),
  }));
  const spec = { replicas: Number(flags.get('replicas') || 1), selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, labels }, spec };
}

/** With `--from=cronjob/x`, what that cron job would start. */
export async function job(flags: Flags, name: string, caller: Caller, namespace: string): Promise<KubeObject> {
  const image = flags.get('image');
  const from = flags.get('from');
  if ((image === '') === (from === '')) throw new CommandError('error: either --image or --from must be specified');
  if (from !== '') {
    if (flags.after.length > 0) throw new CommandError('error: cannot specify --from and command');
    return jobOf(await cronJobNamed(from, caller, namespace), name);
  }
  const containers = [{ name, image, ...given({ command: flags.after }) }];
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name }, spec: { template: { spec: { containers, restartPolicy: 'Never' } } } };
}

async function cronJobNamed(from: string, caller: Caller, namespace: string): Promise<KubeObject> {
  const [type = '', name = ''] = from.split('/');
  if (!/^(cj|cronjobs?(\.(v1\.)?batch)?)$/.test(type) || name === '') throw new CommandError('error: from must be an existing cronjob');
  return caller.json('GET', `/apis/batch/v1/namespaces/${namespace}/cronjobs/${name}`);
}

function jobOf(cronJob: KubeObject, name: string): KubeObject {
  const { metadata = {}, spec } = cronJob.spec.jobTemplate;
  const annotations = { 'cronjob.kubernetes.io/instantiate': 'manual', ...metadata.annotations };
  const owner = { apiVersion: 'batch/v1', kind: 'CronJob', name: cronJob.metadata.name, uid: cronJob.metadata.uid, controller: true };
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name, annotations, ...given({ labels: metadata.labels }), ownerReferences: [owner] }, spec };
}

export function cronJob(flags: Flags, name: string): KubeObject {
  const missing = ['image', 'schedule'].filter((each) => !flags.has(each));
  if (missing.length > 0) throw new CommandError(`error: required flag(s) ${missing.map((each) => `"${each}"`).join(', ')} not set`);
  const containers = [{ name, image: flags.get('image'), ...given({ command: flags.after }) }];
  const spec = { template: { spec: { containers, restartPolicy: flags.get('restart') || 'OnFailure' } } };
  return { apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name }, spec: { schedule: flags.get('schedule'), jobTemplate: { metadata: { name }, spec } } };
}
