// Pods and pod templates.
import { selectorText } from '../selectors';
import type { KubeObject } from '../session';
import { writeContainers, writeResources } from './containers';
import { controllerOf, longTime, type Sheet } from './sheet';
import { writeVolumes } from './volumes';

// Parts of a pod have the fields of the API.
type Any = any;

export function writePod(sheet: Sheet, pod: KubeObject): void {
  const { metadata, spec, status = {} } = pod;
  writePlace(sheet, pod);
  sheet.labels('Labels', metadata.labels);
  sheet.annotations('Annotations', metadata.annotations);
  if (metadata.deletionTimestamp && status.phase !== 'Failed' && status.phase !== 'Succeeded') {
    sheet.line(0, 'Status:', `Terminating (lasts ${sheet.age(metadata.deletionTimestamp as string)})`);
    sheet.line(0, 'Termination Grace Period:', `${metadata.deletionGracePeriodSeconds}s`);
  } else sheet.line(0, 'Status:', status.phase ?? '');
  if (status.reason) sheet.line(0, 'Reason:', status.reason);
  if (status.message) sheet.line(0, 'Message:', status.message);
  const seccomp = spec.securityContext?.seccompProfile;
  if (seccomp) sheet.line(0, 'SeccompProfile:', seccomp.type);
  if (seccomp?.type === 'Localhost') sheet.line(0, 'LocalhostProfile:', seccomp.localhostProfile);
  writeAddresses(sheet, status);
  const controller = controllerOf(pod);
  if (controller) sheet.line(0, 'Controlled By:', controller);
  if (status.nominatedNodeName) sheet.line(0, 'NominatedNodeName:', status.nominatedNodeName);
  if (spec.resources) {
    sheet.line(0, 'Resources:');
    writeResources(sheet, 1, spec.resources);
  }
  const form = { pod, template: false };
  if (spec.initContainers) writeContainers(sheet, 'Init Containers', spec.initContainers, status.initContainerStatuses ?? [], form);
  writeContainers(sheet, 'Containers', spec.containers, status.containerStatuses ?? [], form);
  if (spec.ephemeralContainers) writeContainers(sheet, 'Ephemeral Containers', spec.ephemeralContainers, status.ephemeralContainerStatuses ?? [], form);
  writeConditions(sheet, spec.readinessGates ?? [], status.conditions ?? []);
  writeVolumes(sheet, spec.volumes);
  sheet.line(0, 'QoS Class:', status.qosClass ?? 'BestEffort');
  sheet.labels('Node-Selectors', spec.nodeSelector);
  writeTolerations(sheet, 'Tolerations', spec.tolerations);
  writeSpread(sheet, '', spec.topologySpreadConstraints);
}

function writePlace(sheet: Sheet, { metadata, spec, status = {} }: KubeObject): void {
  sheet.line(0, 'Name:', metadata.name);
  sheet.line(0, 'Namespace:', metadata.namespace ?? '');
  if (spec.priority !== undefined) sheet.line(0, 'Priority:', spec.priority);
  if (spec.priorityClassName) sheet.line(0, 'Priority Class Name:', spec.priorityClassName);
  if (spec.runtimeClassName) sheet.line(0, 'Runtime Class Name:', spec.runtimeClassName);
  if (spec.serviceAccountName) sheet.line(0, 'Service Account:', spec.serviceAccountName);
  sheet.line(0, 'Node:', spec.nodeName ? `${spec.nodeName}/${status.hostIP ?? ''}` : '<none>');
  if (status.startTime) sheet.line(0, 'Start Time:', longTime(status.startTime));
}

function writeAddresses(sheet: Sheet, { podIP = '', podIPs = [] }: Any): void {
  sheet.line(0, 'IP:', podIP);
  if (podIPs.length === 0) sheet.line(0, 'IPs:', '<none>');
  else sheet.line(0, 'IPs:');
  for (const { ip } of podIPs) sheet.line(1, 'IP:', ip);
}

function writeConditions(sheet: Sheet, gates: readonly Any[], conditions: readonly Any[]): void {
  if (gates.length > 0) {
    sheet.line(0, 'Readiness Gates:');
    sheet.line(1, 'Type', 'Status');
    for (const { conditionType } of gates) sheet.line(1, `${conditionType} `, `${conditions.find(({ type }) => type === conditionType)?.status ?? '<none>'} `);
  }
  if (conditions.length === 0) return;
  sheet.line(0, 'Conditions:');
  sheet.line(1, 'Type', 'Status');
  for (const { type, status } of conditions) sheet.line(1, `${type} `, `${status} `);
}

function writeTolerations(sheet: Sheet, title: string, tolerations: readonly Any[] = []): void {
  const key = (each: Any): string => each.key ?? '';
  sheet.list(title, [...tolerations].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0)).map(tolerationText));
}

function tolerationText({ key = '', value = '', effect = '', operator, tolerationSeconds }: Any): string {
  const name = `${key}${value && `=${value}`}${effect && `:${effect}`}`;
  const exists = operator === 'Exists' && !value ? `${name && ' '}op=Exists` : '';
  return `${name}${exists}${tolerationSeconds === undefined ? '' : ` for ${tolerationSeconds}s`}`;
}

function writeSpread(sheet: Sheet, indent: string, constraints: readonly Any[] = []): void {
  if (constraints.length === 0) return;
  const lines = [...constraints]
    .sort((a, b) => (a.topologyKey < b.topologyKey ? -1 : 1))
    .map(({ topologyKey, whenUnsatisfiable, maxSkew, labelSelector }) => {
      const selector = labelSelector ? ` for selector ${selectorText(labelSelector) || '<none>'}` : '';
      return `${topologyKey}:${whenUnsatisfiable} when max skew ${maxSkew} is exceeded${selector}`;
    });
  sheet.list(`${indent}Topology Spread Constraints`, lines, `\t`);
}

export function writeTemplate(sheet: Sheet, template: Any): void {
  const { metadata = {}, spec = {} } = template ?? {};
  sheet.line(0, 'Pod Template:');
  sheet.labels('  Labels', metadata.labels);
  if (Object.keys(metadata.annotations ?? {}).length > 0) sheet.annotations('  Annotations', metadata.annotations);
  if (spec.serviceAccountName) sheet.line(1, 'Service Account:', spec.serviceAccountName);
  if (spec.initContainers) writeContainers(sheet, 'Init Containers', spec.initContainers, [], { template: true });
  writeContainers(sheet, 'Containers', spec.containers ?? [], [], { template: true });
  writeVolumes(sheet, spec.volumes, true);
  writeSpread(sheet, '  ', spec.topologySpreadConstraints);
  if (spec.priorityClassName) sheet.line(1, 'Priority Class Name:', spec.priorityClassName);
  sheet.labels('  Node-Selectors', spec.nodeSelector);
  writeTolerations(sheet, '  Tolerations', spec.tolerations);
}
