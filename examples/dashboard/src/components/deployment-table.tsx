import type { Deployment } from '../api/types';
import { imagesOf, stateOf } from '../deployments';

interface Props {
  items: Deployment[];
  chosen: string | undefined;
  onChoose: (uid: string) => void;
}

const keyOf = ({ metadata }: Deployment) => `${metadata.namespace}/${metadata.name}`;

export function DeploymentTable({ items, chosen, onChoose }: Props) {
  if (items.length === 0) return <p>There are no deployments.</p>;
  const sorted = [...items].sort((a, b) => keyOf(a).localeCompare(keyOf(b)));
  return (
    <table>
      <thead>
        <tr>
          <th>Namespace</th>
          <th>Name</th>
          <th>Ready</th>
          <th>Image</th>
          <th>State</th>
        </tr>
      </thead>
      <tbody>
        {sorted.map((deployment) => {
          const { uid, namespace, name } = deployment.metadata;
          return (
            <tr key={uid} aria-current={uid === chosen}>
              <td>{namespace}</td>
              <td>
                <button type="button" className="link" onClick={() => onChoose(uid)}>
                  {name}
                </button>
              </td>
              <td>
                {deployment.status?.readyReplicas ?? 0}/{deployment.spec.replicas}
              </td>
              <td>{imagesOf(deployment)}</td>
              <td>{stateOf(deployment)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
