// Objects as kubectl's own types print them: with fields that Go writes even if they are empty.
import type { KubeObject } from './session';

type Fields = Record<string, any>;

/** What a kind has besides `metadata`, at the least. */
const kEmpty: Readonly<Record<string, () => Fields>> = {
  ClusterRole: () => ({ rules: null }),
  CronJob: () => ({ status: {} }),
  DaemonSet: () => ({ status: { currentNumberScheduled: 0, desiredNumberScheduled: 0, numberMisscheduled: 0, numberReady: 0 } }),
  Deployment: () => ({ status: {} }),
  HorizontalPodAutoscaler: () => ({ status: { currentReplicas: 0, desiredReplicas: 0 } }),
  Ingress: () => ({ status: { loadBalancer: {} } }),
  Job: () => ({ status: {} }),
  Namespace: () => ({ spec: {}, status: {} }),
  Pod: () => ({ status: {} }),
  PodDisruptionBudget: () => ({ status: { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 } }),
  ResourceQuota: () => ({ spec: {}, status: {} }),
  Role: () => ({ rules: null }),
  Service: () => ({ spec: {}, status: { loadBalancer: {} } }),
};

/** Returns the object with its empty fields. */
export function typed(object: KubeObject): KubeObject {
  const full = { ...kEmpty[object.kind]?.(), ...object, metadata: { creationTimestamp: null, ...object.metadata } } as unknown as KubeObject;
  if (typeof object.spec !== 'object') return full;
  if (object.kind === 'Pod') return { ...full, spec: podSpec(object.spec) };
  const spec = templates(object.spec);
  return { ...full, spec: object.kind === 'Deployment' ? { strategy: {}, ...spec } : spec };
}

/** Fills in the templates of pods, also those of jobs. */
function templates(spec: Fields): Fields {
  const named = (template: Fields) => ({ creationTimestamp: null, ...template.metadata });
  const filled = { ...spec };
  if (spec.jobTemplate) filled.jobTemplate = { ...spec.jobTemplate, metadata: named(spec.jobTemplate), spec: templates(spec.jobTemplate.spec) };
  if (spec.template) filled.template = { ...spec.template, metadata: named(spec.template), spec: podSpec(spec.template.spec) };
  return filled;
}

function podSpec(spec: Fields): Fields {
  const filled = (containers: Fields[]) => containers.map((container) => ({ resources: {}, ...container }));
  return { ...spec, containers: filled(spec.containers ?? []), ...(spec.initContainers ? { initContainers: filled(spec.initContainers) } : {}) };
}
