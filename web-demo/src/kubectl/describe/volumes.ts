// The volumes of a pod, and the source of a persistent volume.
import { quantityOf } from './quantity';
import { formatLabels, type Sheet } from './sheet';

// Volumes have the fields of the API.
type Any = any;

export function writeVolumes(sheet: Sheet, volumes: readonly Any[] = [], template = false): void {
  if (volumes.length === 0) return sheet.line(template ? 1 : 0, 'Volumes:', '<none>');
  sheet.line(template ? 1 : 0, 'Volumes:');
  for (const volume of volumes) {
    sheet.line(1, `${template ? ' ' : ''}${volume.name}:`);
    writeVolumeSource(sheet, volume);
  }
}

/** Each kind of source: what it is called, and its fields. */
const kSources: Readonly<Record<string, (source: Any) => [string, ...[string, unknown][]]>> = {
  hostPath: ({ path, type }) => ['HostPath (bare host directory volume)', ['Path', path], ['HostPathType', type ?? '<none>']],
  emptyDir: ({ medium, sizeLimit }) => ["EmptyDir (a temporary directory that shares a pod's lifetime)", ['Medium', medium], ['SizeLimit', quantityOf(sizeLimit).milli > 0n ? sizeLimit : '<unset>']],
  secret: ({ secretName, optional }) => ['Secret (a volume populated by a Secret)', ['SecretName', secretName], ['Optional', optional ?? false]],
  configMap: ({ name, optional }) => ['ConfigMap (a volume populated by a ConfigMap)', ['Name', name], ['Optional', optional ?? false]],
  nfs: ({ server, path, readOnly }) => ['NFS (an NFS mount that lasts the lifetime of a pod)', ['Server', server], ['Path', path], ['ReadOnly', readOnly ?? false]],
  persistentVolumeClaim: ({ claimName, readOnly }) => ['PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)', ['ClaimName', claimName], ['ReadOnly', readOnly ?? false]],
  csi: ({ driver, fsType, readOnly, volumeHandle }) =>
    volumeHandle === undefined
      ? ['CSI (a Container Storage Interface (CSI) volume source)', ['Driver', driver], ['FSType', fsType], ['ReadOnly', readOnly ?? false]]
      : ['CSI (a Container Storage Interface (CSI) volume source)', ['Driver', driver], ['FSType', fsType], ['VolumeHandle', volumeHandle], ['ReadOnly', readOnly ?? false]],
  image: ({ reference, pullPolicy }) => ['Image (a container image or OCI artifact)', ['Reference', reference], ['PullPolicy', pullPolicy]],
  local: ({ path }) => ['LocalVolume (a persistent volume backed by local storage on a node)', ['Path', path]],
};

export function writeVolumeSource(sheet: Sheet, volume: Any): void {
  const kind = Object.keys(kSources).find((each) => volume[each]);
  if (kind) {
    const [type, ...fields] = kSources[kind]!(volume[kind]);
    sheet.line(2, 'Type:', type);
    for (const [name, value] of fields) sheet.line(2, `${name}:`, String(value ?? ''));
    if (kind === 'csi') writeAttributes(sheet, volume.csi.volumeAttributes);
  } else if (volume.projected) writeProjected(sheet, volume.projected.sources ?? []);
  else if (volume.downwardAPI) writeDownward(sheet, volume.downwardAPI.items ?? []);
  else if (volume.ephemeral) writeEphemeral(sheet, volume.ephemeral.volumeClaimTemplate);
  else sheet.line(1, '<unknown>');
}

function writeAttributes(sheet: Sheet, attributes: Record<string, string> = {}): void {
  const lines = Object.keys(attributes).sort().map((key) => `${key}=${attributes[key]}`);
  sheet.list('    VolumeAttributes', lines, lines.length === 0 ? '\t' : '\t    ');
}

function writeProjected(sheet: Sheet, sources: readonly Any[]): void {
  sheet.line(2, 'Type:', 'Projected (a volume that contains injected data from multiple sources)');
  for (const { secret, downwardAPI, configMap, serviceAccountToken } of sources) {
    if (secret) {
      sheet.line(2, 'SecretName:', secret.name);
      sheet.line(2, 'SecretOptionalName:', String(secret.optional ?? '<nil>'));
    } else if (downwardAPI) sheet.line(2, 'DownwardAPI:', true);
    else if (configMap) {
      sheet.line(2, 'ConfigMapName:', configMap.name);
      sheet.line(2, 'ConfigMapOptional:', String(configMap.optional ?? '<nil>'));
    } else if (serviceAccountToken) sheet.line(2, 'TokenExpirationSeconds:', serviceAccountToken.expirationSeconds);
  }
}

function writeDownward(sheet: Sheet, items: readonly Any[]): void {
  sheet.line(2, 'Type:', 'DownwardAPI (a volume populated by information about the pod)');
  sheet.line(2, 'Items:');
  for (const { path, fieldRef, resourceFieldRef } of items) sheet.line(3, `${fieldRef?.fieldPath ?? resourceFieldRef?.resource} -> ${path}`);
}

function writeEphemeral(sheet: Sheet, claim: Any): void {
  sheet.line(2, 'Type:', 'EphemeralVolume (an inline specification for a volume that gets created and deleted with the pod)');
  if (!claim) return;
  sheet.line(2, 'StorageClass:', claim.spec?.storageClassName ?? '');
  sheet.line(2, 'Volume:', '');
  sheet.line(2, 'Labels:', formatLabels(claim.metadata?.labels));
  sheet.line(2, 'Annotations:', formatLabels(claim.metadata?.annotations));
  sheet.line(2, 'Capacity:', '');
  sheet.line(2, 'Access Modes:', '');
  if (claim.spec?.volumeMode) sheet.line(2, 'VolumeMode:', claim.spec.volumeMode);
}
