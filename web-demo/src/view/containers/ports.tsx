import { useState } from 'preact/hooks';
import { type Client, isGood } from '../../api/client';
import { type Container, portTarget } from '../../api/containers';

interface Props {
  client: Client;
  /** Path of the pod. */
  pod: string;
  name: string;
  namespace: string;
  container: Container;
}

/** Asks the ports of a container by HTTP, through the server's proxy: a page cannot listen, so it forwards none. */
export function Ports({ client, pod, name, namespace, container }: Props) {
  const [path, setPath] = useState('/');
  const [other, setOther] = useState('');
  const [answer, setAnswer] = useState<{ title: string; good: boolean; text: string }>();
  const ask = async (port: number) => {
    const got = await client.send({ target: portTarget(pod, port, path), headers: { accept: '*/*' } });
    setAnswer({ title: `${port}: ${got.status || 'no answer'}`, good: isGood(got), text: got.failure?.message ?? got.text });
  };
  const ports = container.ports.filter(({ protocol = 'TCP' }) => protocol === 'TCP');
  return (
    <div class="ports" role="region" aria-label="Ports" tabIndex={0}>
      <div class="container-options">
        <label>
          Path <input class="mono" value={path} onInput={(event) => setPath(event.currentTarget.value)} />
        </label>
        {ports.map((port) => (
          <button class="button" key={port.containerPort} onClick={() => void ask(port.containerPort)}>
            GET {port.containerPort}
            {port.name && ` (${port.name})`}
          </button>
        ))}
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (other !== '') void ask(Number(other));
          }}
        >
          <input class="few" type="number" min={1} max={65535} aria-label="Other port" placeholder="port" value={other} onInput={(event) => setOther(event.currentTarget.value)} />{' '}
          <button class="button" type="submit" disabled={other === ''}>
            GET it
          </button>
        </form>
      </div>
      {answer && (
        <section aria-label="Answer of the port">
          <h3 class={answer.good ? '' : 'event-warning'}>{answer.title}</h3>
          <pre class="mono">{answer.text}</pre>
        </section>
      )}
      <p class="muted">
        A page cannot listen on a port. On your machine:{' '}
        <code>
          kubectl port-forward -n {namespace} pod/{name} {ports[0]?.containerPort ?? 'PORT'}
        </code>
      </p>
    </div>
  );
}
