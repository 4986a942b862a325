// What makes pods: deployments, replica sets, stateful sets, daemon sets, jobs, cron jobs.
import { humanAge } from '../../api/age';
import { selectorOrNone, selectorText } from '../selectors';
import type { Caller, KubeObject } from '../session';
import { writeTemplate } from './pod';
import { controllerOf, formatLabels, goBool, goList, longTime, type Sheet } from './sheet';

interface List {
  items: KubeObject[] | null;
}

const listOf = async (caller: Caller, path: string, selector: string) => (await caller.json<List>('GET', `${path}?labelSelector=${encodeURIComponent(selector)}&limit=500`)).items ?? [];
const isOwnedBy = (uid: string | undefined) => (each: KubeObject) =>
  (each.metadata.ownerReferences as { uid: string; controller?: boolean }[] | undefined)?.some((owner) => owner.controller && owner.uid === uid) === true;

async function podsStatus(caller: Caller, { metadata, spec }: KubeObject): Promise<string> {
  const selector = spec.selector?.matchLabels || spec.selector?.matchExpressions ? selectorText(spec.selector) : selectorText({ matchLabels: spec.selector });
  const pods = await listOf(caller, `/api/v1/namespaces/${metadata.namespace}/pods`, selector);
  const own = pods.filter(isOwnedBy(metadata.uid));
  const count = (phase: string) => own.filter(({ status }) => status?.phase === phase).length;
  return `${count('Running')} Running / ${count('Pending')} Waiting / ${count('Succeeded')} Succeeded / ${count('Failed')} Failed`;
}

function writeConditions(sheet: Sheet, conditions: readonly { type: string; status: string; reason?: string }[] = []): void {
  if (conditions.length === 0) return;
  sheet.line(0, 'Conditions:');
  sheet.line(1, 'Type', 'Status', 'Reason');
  sheet.line(1, '----', '------', '------');
  for (const { type, status, reason = '' } of conditions) sheet.line(1, `${type} `, status, reason);
}

export async function writeDeployment(sheet: Sheet, object: KubeObject, caller: Caller): Promise<void> {
  const { metadata, spec, status = {} } = object;
  sheet.line(0, 'Name:', metadata.name);
  sheet.line(0, 'Namespace:', metadata.namespace ?? '');
  sheet.line(0, 'CreationTimestamp:', longTime(metadata.creationTimestamp));
  sheet.labels('Labels', metadata.labels);
  sheet.annotations('Annotations', metadata.annotations);
  sheet.line(0, 'Selector:', selectorText(spec.selector));
  const { updatedReplicas = 0, replicas = 0, availableReplicas = 0, unavailableReplicas = 0 } = status;
  sheet.line(0, 'Replicas:', `${spec.replicas} desired | ${updatedReplicas} updated | ${replicas} total | ${availableReplicas} available | ${unavailableReplicas} unavailable`);
  sheet.line(0, 'StrategyType:', spec.strategy?.type ?? '');
  sheet.line(0, 'MinReadySeconds:', spec.minReadySeconds ?? 0);
  const rolling = spec.strategy?.rollingUpdate;
  if (rolling) sheet.line(0, 'RollingUpdateStrategy:', `${rolling.maxUnavailable} max unavailable, ${rolling.maxSurge} max surge`);
  writeTemplate(sheet, spec.template);
  writeConditions(sheet, status.conditions);
  await writeReplicaSets(sheet, object, caller);
}

async function writeReplicaSets(sheet: Sheet, { metadata, spec }: KubeObject, caller: Caller): Promise<void> {
  const all = await listOf(caller, `/apis/apps/v1/namespaces/${metadata.namespace}/replicasets`, selectorText(spec.selector));
  const own = all.filter(isOwnedBy(metadata.uid));
  const template = templateText(spec.template);
  const fresh = own.filter((each) => templateText(each.spec.template) === template).sort((a, b) => ((a.metadata.creationTimestamp ?? '') < (b.metadata.creationTimestamp ?? '') ? -1 : 1))[0];
  const old = own.filter((each) => each !== fresh);
  if (own.length === 0) return;
  const text = (sets: readonly KubeObject[]) => sets.map((each) => `${each.metadata.name} (${each.status?.replicas ?? 0}/${each.spec.replicas} replicas created)`).join(', ') || '<none>';
  sheet.line(0, 'OldReplicaSets:', text(old));
  sheet.line(0, 'NewReplicaSet:', text(fresh ? [fresh] : []));
}

/** A template without the label that its replica set adds. */
function templateText(template: KubeObject): string {
  const { 'pod-template-hash': _, ...labels } = template.metadata?.labels ?? {};
  return JSON.stringify({ ...template, metadata: { ...template.metadata, labels } });
}

export async function writeReplicaSet(sheet: Sheet, object: KubeObject, caller: Caller): Promise<void> {
  const { metadata, spec, status = {} } = object;
  sheet.line(0, 'Name:', metadata.name);
  sheet.line(0, 'Namespace:', metadata.namespace ?? '');
  sheet.line(0, 'Selector:', object.kind === 'ReplicaSet' ? selectorOrNone(spec.selector) : formatLabels(spec.selector));
  sheet.labels('Labels', metadata.labels);
  sheet.annotations('Annotations', metadata.annotations);
  const controller = controllerOf(object);
  if (controller && object.kind === 'ReplicaSet') sheet.line(0, 'Controlled By:', controller);
  sheet.line(0, 'Replicas:', `${status.replicas ?? 0} current / ${spec.replicas} desired`);
  sheet.line(0, 'Pods Status:', await podsStatus(caller, object));
  writeTemplate(sheet, spec.template);
  writeConditions(sheet, status.conditions);
}

export async function writeStatefulSet(sheet: Sheet, object: KubeObject, caller: Caller): Promise<void> {
  const { metadata, spec, status = {} } = object;
  sheet.line(0, 'Name:', metadata.name);
  sheet.line(0, 'Namespace:', metadata.namespace ?? '');
  sheet.line(0, 'CreationTimestamp:', longTime(metadata.creationTimestamp));
  sheet.line(0, 'Selector:', selectorText(spec.selector));
  sheet.labels('Labels', metadata.labels);
  sheet.annotations('Annotations', metadata.annotations);
  sheet.line(0, 'Replicas:', `${spec.replicas} desired | ${status.replicas ?? 0} total`);
  sheet.line(0, 'Update Strategy:', spec.updateStrategy?.type ?? '');
  const rolling = spec.updateStrategy?.rollingUpdate;
  if (rolling?.partition !== undefined) sheet.line(1, 'Partition:', rolling.partition);
  if (rolling?.partition !== undefined && rolling.maxUnavailable !== undefined) sheet.line(1, 'MaxUnavailable:', rolling.maxUnavailable);
  sheet.line(0, 'Pods Status:', await podsStatus(caller, object));
  writeTemplate(sheet, spec.template);
  writeClaimTemplates(sheet, spec.volumeClaimTemplates);
}

function writeClaimTemplates(sheet: Sheet, claims: readonly KubeObject[] = []): void {
  if (claims.length === 0) return sheet.line(0, 'Volume Claims:', '<none>');
  sheet.line(0, 'Volume Claims:');
  for (const { metadata, spec } of claims) {
    sheet.line(1, 'Name:', metadata.name);
    sheet.line(1, 'StorageClass:', metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? spec.storageClassName ?? '');
    for (const [title, pairs] of [['Labels', metadata.labels], ['Annotations', metadata.annotations]] as const) {
      const lines = Object.keys(pairs ?? {}).sort().map((key) => `${key}=${pairs![key]}`);
      sheet.raw((lines.length === 0 ? ['<none>'] : lines).map((line, index) => `  ${index === 0 ? `${title}:` : ''}\t${line}\n`).join(''));
    }
    sheet.line(1, 'Capacity:', spec.resources?.requests?.storage ?? '<default>');
    sheet.line(1, 'Access Modes:', goList(spec.accessModes));
  }
}

export async function writeDaemonSet(sheet: Sheet, object: KubeObject, caller: Caller): Promise<void> {
  const { metadata, spec, status = {} } = object;
  sheet.line(0, 'Name:', metadata.name);
  sheet.line(0, 'Selector:', selectorText(spec.selector));
  sheet.line(0, 'Node-Selector:', formatLabels(spec.template.spec.nodeSelector));
  sheet.labels('Labels', metadata.labels);
  sheet.annotations('Annotations', metadata.annotations);
  const count = (field: string) => status[field] ?? 0;
  sheet.line(0, `Desired Number of Nodes Scheduled: ${count('desiredNumberScheduled')}`);
  sheet.line(0, `Current Number of Nodes Scheduled: ${count('currentNumberScheduled')}`);
  sheet.line(0, `Number of Nodes Scheduled with Up-to-date Pods: ${count('updatedNumberScheduled')}`);
  sheet.line(0, `Number of Nodes Scheduled with Available Pods: ${count('numberAvailable')}`);
  sheet.line(0, `Number of Nodes Misscheduled: ${count('numberMisscheduled')}`);
  sheet.line(0, 'Pods Status:', await podsStatus(caller, object));
  writeTemplate(sheet, spec.template);
}

export function writeJob(sheet: Sheet, object: KubeObject): void {
  const { metadata, spec, status = {} } = object;
  sheet.line(0, 'Name:', metadata.name);
  sheet.line(0, 'Namespace:', metadata.namespace ?? '');
  sheet.line(0, 'Selector:', selectorText(spec.selector));
  sheet.labels('Labels', metadata.labels);
  sheet.annotations('Annotations', metadata.annotations);
  const optional = (title: string, value: unknown, unit = '') => value !== undefined && sheet.line(0, `${title}:`, `${String(value)}${unit}`);
  optional('Controlled By', controllerOf(object) || undefined);
  optional('Parallelism', spec.parallelism);
  sheet.line(0, 'Completions:', spec.completions ?? '<unset>');
  optional('Completion Mode', spec.completionMode);
  optional('Suspend', spec.suspend);
  optional('Backoff Limit', spec.backoffLimit);
  optional('TTL Seconds After Finished', spec.ttlSecondsAfterFinished);
  if (status.startTime) sheet.line(0, 'Start Time:', longTime(status.startTime));
  if (status.completionTime) sheet.line(0, 'Completed At:', longTime(status.completionTime));
  if (status.startTime && status.completionTime) sheet.line(0, 'Duration:', humanAge(Date.parse(status.completionTime) - Date.parse(status.startTime)));
  optional('Active Deadline Seconds', spec.activeDeadlineSeconds, 's');
  const { active = 0, ready, succeeded = 0, failed = 0 } = status;
  sheet.line(0, 'Pods Statuses:', `${active} Active${ready === undefined ? '' : ` (${ready} Ready)`} / ${succeeded} Succeeded / ${failed} Failed`);
  if (spec.completionMode === 'Indexed') sheet.line(0, 'Completed Indexes:', indexesText(status.completedIndexes ?? ''));
  writeTemplate(sheet, spec.template);
}

/** Cut at the first comma behind fifty characters. */
function indexesText(indexes: string): string {
  const at = indexes.indexOf(',', 50);
  return at < 0 ? indexes || '<none>' : `${indexes.slice(0, at + 1)}...`;
}

export function writeCronJob(sheet: Sheet, object: KubeObject): void {
  const { spec, status = {} } = object;
  sheet.head(object);
  sheet.line(0, 'Schedule:', spec.schedule);
  sheet.line(0, 'Concurrency Policy:', spec.concurrencyPolicy);
  sheet.line(0, 'Suspend:', goBool(spec.suspend));
  sheet.line(0, 'Successful Job History Limit:', spec.successfulJobsHistoryLimit ?? '<unset>');
  sheet.line(0, 'Failed Job History Limit:', spec.failedJobsHistoryLimit ?? '<unset>');
  sheet.line(0, 'Starting Deadline Seconds:', spec.startingDeadlineSeconds === undefined ? '<unset>' : `${spec.startingDeadlineSeconds}s`);
  const job = spec.jobTemplate.spec;
  sheet.line(0, 'Selector:', job.selector ? selectorText(job.selector) : '<unset>');
  sheet.line(0, 'Parallelism:', job.parallelism ?? '<unset>');
  sheet.line(0, 'Completions:', job.completions ?? '<unset>');
  if (job.activeDeadlineSeconds !== undefined) sheet.line(0, 'Active Deadline Seconds:', `${job.activeDeadlineSeconds}s`);
  writeTemplate(sheet, job.template);
  sheet.line(0, 'Last Schedule Time:', status.lastScheduleTime ? longTime(status.lastScheduleTime) : '<unset>');
  sheet.line(0, 'Active Jobs:', ((status.active ?? []) as { name: string }[]).map(({ name }) => name).join(', ') || '<none>');
}
