import { useState } from 'react';
import type { KubeClient } from '../api/client';
import type { Deployment } from '../api/types';
import { manifestOf, pathOf } from '../deployments';
import { ManifestEditor } from './manifest-editor';

export function DeploymentDetail({ client, deployment }: { client: KubeClient; deployment: Deployment }) {
  const [problem, setProblem] = useState<string>();
  const { name, namespace, deletionTimestamp, finalizers = [] } = deployment.metadata;
  const path = pathOf(deployment);
  const attempt = (work: Promise<void>) => work.then(() => setProblem(undefined), (error: Error) => setProblem(error.message));
  return (
    <section aria-label={`Deployment ${namespace}/${name}`}>
      <h2>{name}</h2>
      {deletionTimestamp === undefined ? (
        <button type="button" onClick={() => void attempt(client.delete(path))}>
          Delete
        </button>
      ) : (
        <p role="status">
          Waits for {finalizers.join(', ')}.{' '}
          <button type="button" onClick={() => void attempt(client.removeFinalizers(path))}>
            Remove finalizers
          </button>
        </p>
      )}
      {problem && <p role="alert">{problem}</p>}
      <ManifestEditor manifest={manifestOf(deployment)} apply={(text, options) => client.apply(path, text, options)} />
    </section>
  );
}
