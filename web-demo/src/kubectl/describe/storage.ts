// Volumes, claims and classes.
import type { Caller, KubeObject } from '../session';
import { formatLabels, goBool, goList, longTime, type Sheet } from './sheet';
import { writeVolumeSource } from './volumes';

// Parts of objects have the fields of the API.
type Any = any;

const kModes: Readonly<Record<string, string>> = { ReadWriteOnce: 'RWO', ReadOnlyMany: 'ROX', ReadWriteMany: 'RWX', ReadWriteOncePod: 'RWOP' };
const modesText = (modes: readonly string[] = []) => Object.keys(kModes).filter((mode) => modes.includes(mode)).map((mode) => kModes[mode]).join(',');
const classOf = ({ metadata, spec }: KubeObject): string => metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? spec.storageClassName ?? '';

function writeStatus(sheet: Sheet, { metadata, status = {} }: KubeObject): void {
  sheet.line(0, 'Status:', metadata.deletionTimestamp ? `Terminating (lasts ${sheet.age(metadata.deletionTimestamp as string)})` : (status.phase ?? ''));
}

export function writeVolume(sheet: Sheet, object: KubeObject): void {
  const { metadata, spec, status = {} } = object;
  sheet.head(object, false);
  sheet.line(0, 'Finalizers:', goList(metadata.finalizers as string[] | undefined));
  sheet.line(0, 'StorageClass:', classOf(object));
  writeStatus(sheet, object);
  sheet.line(0, 'Claim:', spec.claimRef ? `${spec.claimRef.namespace}/${spec.claimRef.name}` : '');
  sheet.line(0, 'Reclaim Policy:', spec.persistentVolumeReclaimPolicy ?? '');
  sheet.line(0, 'Access Modes:', modesText(spec.accessModes));
  if (spec.volumeMode) sheet.line(0, 'VolumeMode:', spec.volumeMode);
  sheet.line(0, 'Capacity:', spec.capacity?.storage ?? '0');
  writeAffinity(sheet, spec.nodeAffinity?.required?.nodeSelectorTerms);
  sheet.line(0, 'Message:', status.message ?? '');
  sheet.line(0, 'Source:');
  writeVolumeSource(sheet, spec);
}

function writeAffinity(sheet: Sheet, terms: readonly Any[] | undefined): void {
  if (!terms) return sheet.line(0, 'Node Affinity:', '<none>');
  sheet.line(0, 'Node Affinity:', '');
  sheet.line(1, 'Required Terms:', terms.length === 0 ? '<none>' : '');
  terms.forEach(({ matchExpressions = [] }, index) => {
    const lines = (matchExpressions as Any[]).map(({ key, operator, values }) => `${key} ${operator.toLowerCase()}${values ? ` [${values.join(', ')}]` : ''}`);
    sheet.raw((lines.length === 0 ? ['<none>'] : lines).map((line, at) => `    ${at === 0 ? `Term ${index}:` : ''}\t${line}\n`).join(''));
  });
}

export async function writeClaim(sheet: Sheet, object: KubeObject, caller: Caller): Promise<void> {
  const { metadata, spec, status = {} } = object;
  const pods = (await caller.json<{ items: KubeObject[] | null }>('GET', `/api/v1/namespaces/${metadata.namespace}/pods?limit=500`)).items ?? [];
  const owners = ((metadata.ownerReferences ?? []) as Any[]).filter(({ kind }) => kind === 'Pod').map(({ uid }) => uid);
  const users = pods.filter((pod) => owners.includes(pod.metadata.uid) || ((pod.spec.volumes ?? []) as Any[]).some(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName === metadata.name));
  sheet.line(0, 'Name:', metadata.name);
  sheet.line(0, 'Namespace:', metadata.namespace ?? '');
  sheet.line(0, 'StorageClass:', classOf(object));
  writeStatus(sheet, object);
  sheet.line(0, 'Volume:', spec.volumeName ?? '');
  sheet.labels('Labels', metadata.labels);
  sheet.annotations('Annotations', metadata.annotations);
  sheet.line(0, 'Finalizers:', goList(metadata.finalizers as string[] | undefined));
  sheet.line(0, 'Capacity:', spec.volumeName ? (status.capacity?.storage ?? '0') : '');
  sheet.line(0, 'Access Modes:', spec.volumeName ? modesText(status.accessModes) : '');
  if (spec.volumeMode) sheet.line(0, 'VolumeMode:', spec.volumeMode);
  if (spec.dataSource) {
    sheet.line(0, 'DataSource:');
    if (spec.dataSource.apiGroup) sheet.line(1, 'APIGroup:', spec.dataSource.apiGroup);
    sheet.line(1, 'Kind:', spec.dataSource.kind);
    sheet.line(1, 'Name:', spec.dataSource.name);
  }
  sheet.list('Used By', users.map((pod) => pod.metadata.name).sort());
  if (!status.conditions?.length) return;
  sheet.line(0, 'Conditions:');
  sheet.line(1, 'Type', 'Status', 'LastProbeTime', 'LastTransitionTime', 'Reason', 'Message');
  sheet.line(1, '----', '------', '-----------------', '------------------', '------', '-------');
  for (const each of status.conditions as Any[]) {
    sheet.line(1, `${each.type} `, `${each.status} `, `${longTime(each.lastProbeTime)} `, `${longTime(each.lastTransitionTime)} `, `${each.reason ?? ''} `, each.message ?? '');
  }
}

export function writeStorageClass(sheet: Sheet, object: KubeObject): void {
  const { metadata } = object;
  const isDefault = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'].some((key) => metadata.annotations?.[key] === 'true');
  sheet.line(0, 'Name:', metadata.name);
  sheet.line(0, 'IsDefaultClass:', isDefault ? 'Yes' : 'No');
  sheet.line(0, 'Annotations:', formatLabels(metadata.annotations));
  sheet.line(0, 'Provisioner:', object.provisioner);
  sheet.line(0, 'Parameters:', formatLabels(object.parameters));
  sheet.line(0, 'AllowVolumeExpansion:', goBool(object.allowVolumeExpansion));
  if (!object.mountOptions?.length) sheet.line(0, 'MountOptions:', '<none>');
  else {
    sheet.line(0, 'MountOptions:');
    for (const option of object.mountOptions as string[]) sheet.line(1, option);
  }
  if (object.reclaimPolicy) sheet.line(0, 'ReclaimPolicy:', object.reclaimPolicy);
  if (object.volumeBindingMode) sheet.line(0, 'VolumeBindingMode:', object.volumeBindingMode);
}
