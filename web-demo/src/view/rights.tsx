import '../style/rights.css';
import { useEffect, useState } from 'preact/hooks';
import type { Client, Persona } from '../api/client';
import { fullName, type Grant, grantsOf, mayI, myRules, readResource, type Rule, type User, whoAmI } from '../api/rights';
import type { Resource } from '../api/types';
import { Icon } from './icon';

interface Props {
  /** Asks as the persona. */
  client: Client;
  /** Asks as the user of the page, who may read roles. */
  own: Client;
  kinds: readonly Resource[];
  namespace: string;
  persona: Persona | undefined;
  onPersona(persona: Persona | undefined): void;
  onClose(): void;
}

/** Says who the page asks as and what that user may do, lets it be another one, and explains a refusal. */
export function Rights({ client, own, kinds, namespace, persona, onPersona, onClose }: Props) {
  const place = namespace || 'default';
  const { user, rules, fault } = useRights(client, place);
  return (
    <section class="pane object-pane rights" aria-label="Rights">
      <div class="pane-head">
        <h2>Who am I?</h2>
        <span class="grow" />
        <button class="button quiet icon-only" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      <div class="rights-body" role="region" aria-label="What I may do" tabIndex={0}>
        {fault && <p class="outcome bad">{fault}</p>}
        {user && (
          <p>
            <b>{user.username || 'nobody'}</b> <span class="muted">{user.groups.join(', ')}</span>
          </p>
        )}
        <PersonaForm persona={persona} onPersona={onPersona} />
        <h3>May I?</h3>
        <WishForm client={client} own={own} kinds={kinds} namespace={place} user={user} />
        <h3>Rules in {place}</h3>
        {rules && <RuleTable rules={rules} />}
      </div>
    </section>
  );
}

function useRights(client: Client, namespace: string) {
  const [state, setState] = useState<{ user?: User; rules?: Rule[]; fault?: string }>({});
  useEffect(() => {
    let shown = true;
    setState({});
    Promise.all([whoAmI(client), myRules(client, namespace)]).then(
      ([user, { rules }]) => shown && setState({ user, rules }),
      (fault: Error) => shown && setState({ fault: fault.message }),
    );
    return () => void (shown = false);
  }, [client, namespace]);
  return state;
}

function PersonaForm({ persona, onPersona }: Pick<Props, 'persona' | 'onPersona'>) {
  const [user, setUser] = useState(persona?.user ?? '');
  const [groups, setGroups] = useState(persona?.groups.join(', ') ?? '');
  return (
    <form
      class="rights-form"
      aria-label="Persona"
      onSubmit={(event) => {
        event.preventDefault();
        if (user.trim() !== '') onPersona({ user: user.trim(), groups: groups.split(',').map((each) => each.trim()).filter(Boolean) });
      }}
    >
      <label>
        <span>User</span>
        <input class="mono" value={user} placeholder="system:serviceaccount:shop:api" spellcheck={false} onInput={(event) => setUser(event.currentTarget.value)} />
      </label>
      <label>
        <span>Groups</span>
        <input class="mono" value={groups} placeholder="viewers" spellcheck={false} onInput={(event) => setGroups(event.currentTarget.value)} />
      </label>
      <button class="button primary" type="submit" title="Everything that this page asks is then asked as that user (impersonation)">
        Be this user
      </button>
      {persona && (
        <button class="button" type="button" onClick={() => onPersona(undefined)}>
          Be yourself
        </button>
      )}
    </form>
  );
}

const kVerbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];

interface Verdict {
  allowed: boolean;
  reason: string;
  grants: Grant[];
}

function WishForm({ client, own, kinds, namespace, user }: Pick<Props, 'client' | 'own' | 'kinds' | 'namespace'> & { user: User | undefined }) {
  const [verb, setVerb] = useState('get');
  const [resource, setResource] = useState('secrets');
  const [name, setName] = useState('');
  const [verdict, setVerdict] = useState<Verdict | string>();
  useEffect(() => setVerdict(undefined), [client]);
  const ask = async () => {
    try {
      const wish = { verb, ...readResource(resource), namespace, name };
      const answer = await mayI(client, wish);
      const grants = user ? await grantsOf(own, user, wish).catch(() => []) : [];
      setVerdict({ ...answer, grants });
    } catch (fault) {
      setVerdict((fault as Error).message);
    }
  };
  return (
    <>
      <form
        class="rights-form"
        aria-label="May I"
        onSubmit={(event) => {
          event.preventDefault();
          void ask();
        }}
      >
        <label>
          <span>Verb</span>
          <select value={verb} onChange={(event) => setVerb(event.currentTarget.value)}>
            {kVerbs.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <label>
          <span>Resource</span>
          <input class="mono" list="rights-resources" value={resource} spellcheck={false} onInput={(event) => setResource(event.currentTarget.value)} />
          <datalist id="rights-resources">
            {kinds.map((each) => (
              <option key={fullName(each)} value={fullName(each)} />
            ))}
          </datalist>
        </label>
        <label>
          <span>Name</span>
          <input class="mono" value={name} placeholder="any" spellcheck={false} onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <button class="button" type="submit">
          Ask
        </button>
      </form>
      {typeof verdict === 'string' && <p class="outcome bad">{verdict}</p>}
      {typeof verdict === 'object' && <VerdictView verdict={verdict} />}
    </>
  );
}

function VerdictView({ verdict: { allowed, reason, grants } }: { verdict: Verdict }) {
  return (
    <div role="status">
      <p class={`outcome ${allowed ? 'good' : 'bad'}`}>
        <strong>{allowed ? 'Yes.' : 'No.'}</strong> {reason}
      </p>
      {!allowed && grants.length === 0 && <p class="muted">No binding here names this user or one of its groups.</p>}
      <ul>
        {grants.map(({ binding, role, rules }) => (
          <li key={binding}>
            <span class="mono">{binding}</span> gives <span class="mono">{role}</span>
            <ul>
              {rules.map(({ rule, obstacle }, index) => (
                <li key={index}>
                  <span class="mono">
                    {rule.verbs.join(', ')} {(rule.resources ?? rule.nonResourceURLs ?? []).join(', ')}
                  </span>
                  : {obstacle === '' ? <b class="change created">allows it</b> : obstacle}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </div>
  );
}

function RuleTable({ rules }: { rules: readonly Rule[] }) {
  return (
    <table class="rules" role="table">
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col">Verbs</th>
          <th role="columnheader" scope="col">Resources or paths</th>
          <th role="columnheader" scope="col">Groups</th>
          <th role="columnheader" scope="col">Names</th>
        </tr>
      </thead>
      <tbody role="rowgroup" class="mono">
        {rules.map(({ verbs, resources, nonResourceURLs, apiGroups, resourceNames }, index) => (
          <tr key={index} role="row">
            <td role="cell" data-label="Verbs">{verbs.join(', ')}</td>
            <td role="cell" data-label={resources ? 'Resources' : 'Paths'}>{(resources ?? nonResourceURLs ?? []).join(', ')}</td>
            <td role="cell" data-label="Groups">{apiGroups?.map((each) => each || '""').join(', ')}</td>
            <td role="cell" data-label="Names">{resourceNames?.join(', ')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
