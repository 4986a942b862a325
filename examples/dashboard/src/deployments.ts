// What this page knows of deployments.
import { stringify } from 'yaml';
import type { Deployment } from './api/types';

export const kDeployments = '/apis/apps/v1/deployments';

export const pathOf = ({ metadata: { namespace, name } }: Deployment): string => `/apis/apps/v1/namespaces/${namespace}/deployments/${name}`;

export const imagesOf = ({ spec }: Deployment): string => spec.template.spec.containers.map(({ image }) => image).join(', ');

export function stateOf({ metadata, spec, status }: Deployment): 'Terminating' | 'Ready' | 'Updating' {
  if (metadata.deletionTimestamp !== undefined) return 'Terminating';
  return (status?.readyReplicas ?? 0) >= spec.replicas ? 'Ready' : 'Updating';
}

/** Returns the manifest to edit: what a user may set, without what the server writes. */
export function manifestOf({ apiVersion, kind, metadata, spec }: Deployment): string {
  const { name, namespace, labels, annotations, finalizers } = metadata;
  return stringify({ apiVersion, kind, metadata: { name, namespace, labels, annotations, finalizers }, spec });
}
