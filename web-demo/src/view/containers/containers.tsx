import '../../style/command-line.css';
import '../../style/containers.css';
import { useEffect, useState } from 'preact/hooks';
import { type Client, isGood } from '../../api/client';
import { type Container, containersOf } from '../../api/containers';
import { Attach } from './attach';
import { Logs } from './logs';
import { Ports } from './ports';
import { Shell } from './shell';

interface Props {
  client: Client;
  /** Path of the pod. */
  pod: string;
  name: string;
  namespace: string;
  /** Changes when the pod does. */
  version: string | undefined;
}

const kViews = ['Logs', 'Shell', 'Attach', 'Ports'] as const;

/** What stands behind a pod's containers: logs, a shell, the process itself, and ports. */
export function Containers({ client, pod, name, namespace, version }: Props) {
  const { containers, fault } = useContainers(client, pod, version);
  const [chosen, setChosen] = useState('');
  const [view, setView] = useState<(typeof kViews)[number]>('Logs');
  const container = containers.find((each) => each.name === chosen) ?? containers[0];
  if (!container) return <p class="empty">{fault || 'Looking for its containers…'}</p>;
  const key = `${pod} ${container.name}`;
  return (
    <div class="containers" role="region" aria-label="Containers">
      <div class="container-options">
        <span class="switch" role="group" aria-label="What to show of the container">
          {kViews.map((each) => (
            <button key={each} aria-pressed={each === view} onClick={() => setView(each)}>
              {each}
            </button>
          ))}
        </span>
        <select aria-label="Container" value={container.name} onChange={(event) => setChosen(event.currentTarget.value)}>
          {containers.map((each) => (
            <option key={each.name} value={each.name}>
              {each.name}
              {each.kind !== 'container' && ` (${each.kind})`}
            </option>
          ))}
        </select>
      </div>
      {view === 'Logs' && <Logs key={pod} client={client} pod={pod} container={container.name} />}
      {view === 'Shell' && <Shell key={key} client={client} pod={pod} container={container.name} />}
      {view === 'Attach' && <Attach key={key} client={client} pod={pod} container={container} />}
      {view === 'Ports' && <Ports key={key} client={client} pod={pod} name={name} namespace={namespace} container={container} />}
    </div>
  );
}

function useContainers(client: Client, pod: string, version: string | undefined): { containers: readonly Container[]; fault: string } {
  const [found, setFound] = useState<{ containers: readonly Container[]; fault: string }>({ containers: [], fault: '' });
  useEffect(() => {
    let shown = true;
    void client.send({ target: pod, headers: { accept: 'application/json' } }).then((answer) => {
      if (!shown) return;
      // What is known of a pod that is gone stays.
      if (isGood(answer)) setFound({ containers: containersOf(JSON.parse(answer.text)), fault: '' });
      else setFound((last) => ({ ...last, fault: answer.failure?.message ?? 'no answer' }));
    });
    return () => void (shown = false);
  }, [client, pod, version]);
  return found;
}
