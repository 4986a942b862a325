// What scales, protects and orders pods.
import { selectorOrNone } from '../selectors';
import type { KubeObject } from '../session';
import { formatLabels, longTime, type Sheet } from './sheet';

// Metrics have the fields of the API.
type Any = any;

export function writeAutoscaler(sheet: Sheet, object: KubeObject): void {
  const { metadata, spec, status = {} } = object;
  sheet.head(object);
  sheet.line(0, 'CreationTimestamp:', longTime(metadata.creationTimestamp));
  sheet.line(0, 'Reference:', `${spec.scaleTargetRef.kind}/${spec.scaleTargetRef.name}`);
  sheet.line(0, 'Metrics:', '( current / target )');
  ((spec.metrics ?? []) as Any[]).forEach((metric, index) => sheet.line(1, ...metricCells(metric, status.currentMetrics?.[index])));
  sheet.line(0, 'Min replicas:', spec.minReplicas ?? '<unset>');
  sheet.line(0, 'Max replicas:', spec.maxReplicas);
  if (spec.behavior) {
    sheet.line(0, 'Behavior:');
    writeBehavior(sheet, 'Scale Up', spec.behavior.scaleUp);
    writeBehavior(sheet, 'Scale Down', spec.behavior.scaleDown);
  }
  sheet.line(0, `${spec.scaleTargetRef.kind} pods:`, `${status.currentReplicas ?? 0} current / ${status.desiredReplicas ?? 0} desired`);
  if (!status.conditions?.length) return;
  sheet.line(0, 'Conditions:');
  sheet.line(1, 'Type', 'Status', 'Reason', 'Message');
  sheet.line(1, '----', '------', '------', '-------');
  for (const { type, status: state, reason = '', message = '' } of status.conditions as Any[]) sheet.line(1, type, state, reason, message);
}

function metricCells({ type, resource, containerResource, pods, object, external }: Any, now: Any): string[] {
  const current = now?.[`${type[0].toLowerCase()}${type.slice(1)}`]?.current;
  const pair = (field: string, target: Any) => `${current?.[field] ?? '<unknown>'} / ${target[field]}`;
  if (type === 'Pods') return [`${JSON.stringify(pods.metric.name)} on pods:`, pair('averageValue', pods.target)];
  if (type === 'Object' || type === 'External') {
    const { metric, target, describedObject } = object ?? external;
    const where = describedObject ? ` on ${describedObject.kind}/${describedObject.name}` : '';
    const isAverage = object ? target.type === 'AverageValue' : target.averageValue !== undefined;
    return [`${JSON.stringify(metric.name)}${where} (target ${isAverage ? 'average ' : ''}value):`, pair(isAverage ? 'averageValue' : 'value', target)];
  }
  const given = resource ?? containerResource;
  if (!given) return [`<unknown metric type ${JSON.stringify(type)}>`];
  const head = `resource ${given.name}${containerResource ? ` of container "${containerResource.container}"` : ''} on pods`;
  if (given.target.averageValue !== undefined) return [`${head}:`, pair('averageValue', given.target)];
  const used = current?.averageUtilization === undefined ? '<unknown>' : `${current.averageUtilization}% (${current.averageValue ?? '0'})`;
  const wanted = given.target.averageUtilization === undefined ? '<auto>' : `${given.target.averageUtilization}%`;
  return [`${head}  (as a percentage of request):`, `${used} / ${wanted}`];
}

function writeBehavior(sheet: Sheet, title: string, rules: Any): void {
  if (!rules) return;
  sheet.line(1, `${title}:`);
  if (rules.stabilizationWindowSeconds !== undefined) sheet.line(2, `Stabilization Window: ${rules.stabilizationWindowSeconds} seconds`);
  if (!rules.policies?.length) return;
  sheet.line(2, `Select Policy: ${rules.selectPolicy ?? 'Max'}`);
  sheet.line(2, 'Policies:');
  for (const { type, value, periodSeconds } of rules.policies as Any[]) sheet.line(3, `- Type: ${type}`, `Value: ${value}`, `Period: ${periodSeconds} seconds`);
}

export function writeBudget(sheet: Sheet, { metadata, spec, status = {} }: KubeObject): void {
  sheet.line(0, 'Name:', metadata.name);
  sheet.line(0, 'Namespace:', metadata.namespace ?? '');
  if (spec.minAvailable !== undefined) sheet.line(0, 'Min available:', spec.minAvailable);
  else if (spec.maxUnavailable !== undefined) sheet.line(0, 'Max unavailable:', spec.maxUnavailable);
  sheet.line(0, 'Selector:', spec.selector ? selectorOrNone(spec.selector) : '<unset>');
  sheet.line(0, 'Status:');
  sheet.line(2, 'Allowed disruptions:', status.disruptionsAllowed ?? 0);
  sheet.line(2, 'Current:', status.currentHealthy ?? 0);
  sheet.line(2, 'Desired:', status.desiredHealthy ?? 0);
  sheet.line(2, 'Total:', status.expectedPods ?? 0);
}

export function writePriorityClass(sheet: Sheet, object: KubeObject): void {
  sheet.line(0, 'Name:', object.metadata.name);
  sheet.line(0, 'Value:', object.value);
  sheet.line(0, 'GlobalDefault:', object.globalDefault ?? false);
  sheet.line(0, 'PreemptionPolicy:', object.preemptionPolicy ?? '');
  sheet.line(0, 'Description:', object.description ?? '');
  sheet.line(0, 'Annotations:', formatLabels(object.metadata.annotations));
}
