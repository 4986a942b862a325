import { useState } from 'react';
import type { KubeClient } from './api/client';
import type { Deployment } from './api/types';
import { DeploymentDetail } from './components/deployment-detail';
import { DeploymentTable } from './components/deployment-table';
import { RequestLog } from './components/request-log';
import { kDeployments } from './deployments';
import { useList } from './use-list';

export function App({ client }: { client: KubeClient }) {
  const { items, problem } = useList<Deployment>(client, kDeployments);
  const [chosen, setChosen] = useState<string>();
  const shown = items?.find(({ metadata }) => metadata.uid === chosen);
  return (
    <main>
      <h1>Deployments</h1>
      {problem && <p role="alert">{problem}</p>}
      {items ? <DeploymentTable items={items} chosen={chosen} onChoose={setChosen} /> : <p>Loading …</p>}
      {shown && <DeploymentDetail key={chosen} client={client} deployment={shown} />}
      <RequestLog exchanges={client.exchanges} />
    </main>
  );
}
