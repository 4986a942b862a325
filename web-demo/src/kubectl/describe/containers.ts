// The containers of a pod or a pod template.
import type { KubeObject } from '../session';
import { quantityOf, quantityText } from './quantity';
import { goBool, goList, longTime, type Sheet } from './sheet';

// Containers, their statuses and probes have the fields of the API.
type Any = any;

/** `pod`: whose fields environment variables show. `template`: one more space before each name. */
export function writeContainers(sheet: Sheet, title: string, containers: readonly Any[], statuses: readonly Any[], { pod, template }: { pod?: KubeObject; template: boolean }): void {
  sheet.line(template ? 1 : 0, `${title}:${containers.length === 0 ? ' <none>' : ''}`);
  for (const container of containers) {
    const status = statuses.find(({ name }) => name === container.name);
    sheet.line(1, `${template ? ' ' : ''}${container.name}:`);
    writeBasics(sheet, container, status);
    writeWords(sheet, 'Command', container.command);
    writeWords(sheet, 'Args', container.args);
    if (status) writeStatus(sheet, status);
    writeResources(sheet, 2, container.resources);
    for (const probe of ['liveness', 'readiness', 'startup']) {
      const given = container[`${probe}Probe`];
      if (given) sheet.line(2, `${probe[0]!.toUpperCase()}${probe.slice(1)}:`, probeText(given));
    }
    writeEnvironment(sheet, container, pod);
    writeMounts(sheet, container);
  }
}

function writeBasics(sheet: Sheet, { image = '', ports = [], securityContext }: Any, status: Any): void {
  if (status) sheet.line(2, 'Container ID:', status.containerID ?? '');
  sheet.line(2, 'Image:', image);
  if (status) sheet.line(2, 'Image ID:', status.imageID ?? '');
  const several = ports.length > 1 ? 's' : '';
  const text = (field: string) => ports.map((port: Any) => `${port[field] ?? 0}/${port.protocol ?? ''}`).join(', ') || '<none>';
  sheet.line(2, `Port${several}:`, text('containerPort'));
  sheet.line(2, `Host Port${several}:`, text('hostPort'));
  const seccomp = securityContext?.seccompProfile;
  if (!seccomp) return;
  sheet.line(2, 'SeccompProfile:', seccomp.type);
  if (seccomp.type === 'Localhost') sheet.line(3, 'LocalhostProfile:', seccomp.localhostProfile);
}

function writeWords(sheet: Sheet, title: string, words: readonly string[] = []): void {
  if (words.length === 0) return;
  sheet.line(2, `${title}:`);
  for (const line of words.flatMap((word) => word.split('\n'))) sheet.line(3, line);
}

function writeStatus(sheet: Sheet, { state, lastState, ready = false, restartCount = 0 }: Any): void {
  writeState(sheet, 'State', state ?? {});
  if (lastState?.terminated) writeState(sheet, 'Last State', lastState);
  sheet.line(2, 'Ready:', goBool(ready));
  sheet.line(2, 'Restart Count:', restartCount);
}

function writeState(sheet: Sheet, title: string, { running, waiting, terminated }: Any): void {
  sheet.line(2, `${title}:`, running ? 'Running' : terminated && !waiting ? 'Terminated' : 'Waiting');
  if (running) sheet.line(3, 'Started:', longTime(running.startedAt));
  else if (waiting) {
    if (waiting.reason) sheet.line(3, 'Reason:', waiting.reason);
  } else if (terminated) {
    if (terminated.reason) sheet.line(3, 'Reason:', terminated.reason);
    if (terminated.message) sheet.line(3, 'Message:', terminated.message);
    sheet.line(3, 'Exit Code:', terminated.exitCode ?? 0);
    if (terminated.signal > 0) sheet.line(3, 'Signal:', terminated.signal);
    sheet.line(3, 'Started:', longTime(terminated.startedAt));
    sheet.line(3, 'Finished:', longTime(terminated.finishedAt));
  }
}

export function writeResources(sheet: Sheet, level: number, { limits = {}, requests = {} }: Any = {}): void {
  for (const [title, list] of [['Limits', limits], ['Requests', requests]] as [string, Record<string, string>][]) {
    const names = Object.keys(list).sort();
    if (names.length > 0) sheet.line(level, `${title}:`);
    for (const name of names) sheet.line(level + 1, `${name}:`, list[name]!);
  }
}

function probeText(probe: Any): string {
  const { initialDelaySeconds = 0, timeoutSeconds = 0, periodSeconds = 0, successThreshold = 0, failureThreshold = 0, exec, httpGet, tcpSocket, grpc } = probe;
  const rest = `delay=${initialDelaySeconds}s timeout=${timeoutSeconds}s period=${periodSeconds}s #success=${successThreshold} #failure=${failureThreshold}`;
  if (exec) return `exec ${goList(exec.command)} ${rest}`;
  if (httpGet) {
    const host = String(httpGet.host ?? '');
    return `http-get ${String(httpGet.scheme ?? '').toLowerCase()}://${host.includes(':') ? `[${host}]` : host}:${httpGet.port}${httpGet.path ?? ''} ${rest}`;
  }
  if (tcpSocket) return `tcp-socket ${tcpSocket.host ?? ''}:${tcpSocket.port} ${rest}`;
  return grpc ? `grpc <pod>:${grpc.port} ${grpc.service ?? ''} ${rest}` : `unknown ${rest}`;
}

function writeEnvironment(sheet: Sheet, container: Any, pod: KubeObject | undefined): void {
  const { env = [], envFrom = [] } = container;
  if (envFrom.length > 0) sheet.line(2, 'Environment Variables from:');
  for (const { prefix, configMapRef, secretRef } of envFrom) {
    const from = configMapRef ? 'ConfigMap' : secretRef ? 'Secret' : '';
    const { name = '', optional = false } = configMapRef ?? secretRef ?? {};
    sheet.line(3, name, `${from}${prefix ? ` with prefix '${prefix}'` : ''}`, `Optional: ${optional}`);
  }
  sheet.line(2, ...(env.length === 0 ? ['Environment:', '<none>'] : ['Environment:']));
  for (const { name, value = '', valueFrom } of env) {
    if (valueFrom) sheet.line(3, `${name}:`, ...sourceCells(valueFrom, container, pod));
    else String(value).split('\n').forEach((line, index) => sheet.line(3, index === 0 ? `${name}:` : '', line));
  }
}

function sourceCells({ fieldRef, resourceFieldRef, secretKeyRef, configMapKeyRef }: Any, container: Any, pod: KubeObject | undefined): string[] {
  if (fieldRef) return [`${fieldValue(pod, fieldRef.fieldPath)} (${fieldRef.apiVersion}:${fieldRef.fieldPath})`];
  if (resourceFieldRef) return [`${resourceValue(container, resourceFieldRef)} (${resourceFieldRef.resource})`];
  if (secretKeyRef) return [`<set to the key '${secretKeyRef.key}' in secret '${secretKeyRef.name}'>`, `Optional: ${secretKeyRef.optional ?? false}`];
  return configMapKeyRef ? [`<set to the key '${configMapKeyRef.key}' of config map '${configMapKeyRef.name}'>`, `Optional: ${configMapKeyRef.optional ?? false}`] : [];
}

/** The value of a field of the metadata; of others the client knows none. */
function fieldValue(pod: KubeObject | undefined, path: string): string {
  if (!pod) return '';
  const [, map, key] = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(path) ?? [];
  if (map && key) return pod.metadata[map as 'labels' | 'annotations']?.[key] ?? '';
  const [, name] = /^metadata\.(name|namespace|uid)$/.exec(path) ?? [];
  return name ? String(pod.metadata[name] ?? '') : '';
}

function resourceValue({ resources = {} }: Any, { resource, divisor }: { resource: string; divisor?: string }): string {
  const [list = '', name = ''] = resource.split('.');
  const given = quantityOf(resources[list]?.[name]);
  const by = quantityOf(divisor && divisor !== '0' ? divisor : '1');
  const value = (given.milli + by.milli - 1n) / by.milli;
  if (value === 0n && /^limits\.(cpu|memory)$/.test(resource)) return 'node allocatable';
  return name === 'cpu' && by.milli < 1000n ? quantityText({ milli: value * 1000n, binary: false }).replace(/k$/, '000') : String(value);
}

function writeMounts(sheet: Sheet, { volumeMounts = [], volumeDevices = [] }: Any): void {
  const byPath = (field: string) => (a: Any, b: Any) => (a[field] < b[field] ? -1 : 1);
  sheet.line(2, ...(volumeMounts.length === 0 ? ['Mounts:', '<none>'] : ['Mounts:']));
  for (const { mountPath, name, readOnly, subPath } of [...volumeMounts].sort(byPath('mountPath'))) {
    sheet.line(3, `${mountPath} from ${name} (${readOnly ? 'ro' : 'rw'}${subPath ? `,path=${JSON.stringify(subPath)}` : ''})`);
  }
  if (volumeDevices.length > 0) sheet.line(2, ...(volumeMounts.length === 0 ? ['Devices:', '<none>'] : ['Devices:']));
  for (const { devicePath, name } of [...volumeDevices].sort(byPath('devicePath'))) sheet.line(3, `${devicePath} from ${name}`);
}
