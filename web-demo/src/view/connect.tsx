import '../style/connect.css';
import { useState } from 'preact/hooks';
import { type Credentials, type Kubeconfig, readKubeconfig } from '../api/kubeconfig';
import type { Destination } from '../cluster/other-place';
import { type Obstacle, reach, serverUrl } from '../cluster/reachable';
import { FileButton } from './file-button';

interface Props {
  onConnect(destination: Destination): void;
}

interface Typed {
  server: string;
  token: string;
  user: string;
  password: string;
  namespace: string;
}

const kNothing: Typed = { server: '', token: '', user: '', password: '', namespace: '' };
const kCommand = /^(--|kubectl |https?:)/;

/** Asks for the address of a cluster and for credentials, by hand or from a kubeconfig; says what stands in the way. */
export function Connect({ onConnect }: Props) {
  const [typed, setTyped] = useState(kNothing);
  const [config, setConfig] = useState<Kubeconfig>();
  const [chosen, setChosen] = useState('');
  const [obstacle, setObstacle] = useState<Obstacle>();
  const [busy, setBusy] = useState(false);
  const change = (part: Partial<Typed>) => setTyped((last) => ({ ...last, ...part }));
  const choose = (given: Kubeconfig, name: string) => {
    const context = given.contexts.find((each) => each.name === name);
    if (!context) return;
    const { token = '', basic } = context.credentials;
    setChosen(name);
    setObstacle(undefined);
    setTyped({ server: context.server, token, user: basic?.user ?? '', password: basic?.password ?? '', namespace: context.namespace });
  };
  const read = async (text: string) => {
    setConfig(undefined);
    setObstacle(undefined);
    if (text.trim() === '') return;
    try {
      const given = await readKubeconfig(text);
      setConfig(given);
      choose(given, given.current);
    } catch (fault) {
      setObstacle({ title: (fault as Error).message, advice: [] });
    }
  };
  const connect = async () => {
    setObstacle(undefined);
    try {
      const base = serverUrl(typed.server);
      const { user, password } = typed;
      const token = typed.token.trim();
      const credentials: Credentials = token !== '' ? { token } : user !== '' ? { basic: { user, password } } : {};
      setBusy(true);
      const found = await reach(base, credentials);
      if ('advice' in found) setObstacle(found);
      else onConnect({ base, credentials, namespace: typed.namespace, found });
    } catch (fault) {
      setObstacle({ title: (fault as Error).message, advice: [] });
    }
    setBusy(false);
  };
  const field = (name: Exclude<keyof Typed, 'namespace'>, label: string, secret = false, placeholder = '') => (
    <label>
      <span>{label}</span>
      <input
        class="mono"
        {...(secret ? { type: 'password' } : { type: 'text' })}
        autocomplete="off"
        spellcheck={false}
        placeholder={placeholder}
        value={typed[name]}
        onInput={(event) => change({ [name]: event.currentTarget.value })}
      />
    </label>
  );
  const context = config?.contexts.find(({ name }) => name === chosen);
  return (
    <main class="pane connect" aria-label="Another cluster">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void connect();
        }}
      >
        <h2>Another cluster</h2>
        <p class="muted">Any Kubernetes API server that this browser can reach. What you give here stays in memory until this page is closed or reloaded.</p>
        <label>
          <span>Kubeconfig</span>
          <textarea class="mono" rows={6} spellcheck={false} placeholder="Paste it here: kubectl config view --minify --flatten" onInput={(event) => void read(event.currentTarget.value)} />
        </label>
        <div class="connect-line">
          <FileButton accept=".yaml,.yml,.conf,.config,.json" onFiles={([file]) => void file?.text().then(read)}>
            Open a file
          </FileButton>
          {config && (
            <label class="connect-context">
              Context{' '}
              <select value={chosen} onChange={(event) => choose(config, event.currentTarget.value)}>
                {config.contexts.map(({ name }) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            </label>
          )}
        </div>
        {context && context.notes.length > 0 && (
          <ul class="connect-notes" aria-label="What a page cannot use of it">
            {context.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        )}
        {field('server', 'Address', false, 'https://127.0.0.1:6443')}
        {field('token', 'Bearer token', true)}
        <details open={typed.user !== ''}>
          <summary>Or a user with a password, as some proxies ask for</summary>
          {field('user', 'User')}
          {field('password', 'Password', true)}
        </details>
        <button class="button primary" type="submit" disabled={busy || typed.server.trim() === ''}>
          {busy ? 'Connecting…' : 'Connect'}
        </button>
        {obstacle && (
          <div class="connect-obstacle" role="alert">
            <h3>{obstacle.title}</h3>
            {obstacle.advice.map((line) => (kCommand.test(line) ? <pre key={line}>{line}</pre> : <p key={line}>{line}</p>))}
          </div>
        )}
      </form>
    </main>
  );
}
