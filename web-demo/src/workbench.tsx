import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ApiFailure, type Client, type Persona, type Send } from './api/client';
import { discover, type Group } from './api/discovery';
import { followNames } from './api/live-names';
import { findRow, followTable, kEmptyTable, type TableState } from './api/live-table';
import { apiVersion, resourceId, resourcePath } from './api/paths';
import type { StepChange } from './api/time';
import { kWholeTable, type TableQuery } from './api/table-query';
import type { Reach, Transport } from './api/transport';
import type { Resource, Row } from './api/types';
import type { Place } from './cluster/place';
import { kBench, pageOf, type Route, type Where } from './route';
import { ExchangePane } from './view/exchange-pane';
import { Header } from './view/header';
import { LatePart } from './view/late-part';
import { LateView } from './view/late-view';
import { NewPane } from './view/new-pane';
import { ObjectPane } from './view/object-pane';
import { type Outcome, OutcomeNote, outcomeOf } from './view/outcome';
import { RequestPane } from './view/request-pane';
import { ResourcePicker } from './view/resource-picker';
import { ResourceTable } from './view/resource-table';
import { SampleOffer } from './view/sample-offer';
import type { Forking } from './view/time/fork-controls';
import { TokenBar } from './view/token-bar';
import { useFiles } from './view/use-files';

/** What can be beside the table, other than objects and requests. */
type Aside = 'past' | 'timeline' | 'rights' | 'files';

interface Props {
  place: Place;
  home: Where;
  route: Route;
  go(change: Partial<Route>): void;
  onWhere(where: Where): void;
  /** Set for a server, which may require a token. */
  tokens?: { inUse: boolean; onToken(token: string): void };
  /** Leaves a server at another address. */
  onLeave?(): void;
  /** Undefined where the page has no cluster of its own. */
  forking: Forking | undefined;
  /** The bar that moves the time. */
  time: { open: boolean; onOpen(open: boolean): void };
}

/**
 * Shows one cluster: its resources, a table of objects, an object or a request, and all exchanges; or the patch bench.
 */
export function Workbench({ place, home, route, go, onWhere, onLeave, tokens, forking, time }: Props) {
  const [persona, setPersona] = useState<Persona>();
  const client = useMemo(() => (persona ? place.client.as(persona) : place.client), [place, persona]);
  const reach = useReach(client.transport);
  const { groups, refusal } = useDiscovery(client, reach);
  const version = useVersion(client, reach);
  const user = useUser(client, tokens?.inUse ?? false);
  const resource = useMemo(() => find(groups, route.resource), [groups, route.resource]);
  const page = pageOf(route);
  const table = useTable(client, resource, page === 'cluster' ? route.namespace : undefined, route.query);
  const namespaces = useNamespaces(client);
  const [request, setRequest] = useState<Send>();
  const [asksToken, setAsksToken] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  // The route where new objects are being written, and their text if it was given. It closes on any other route.
  const [writing, setWriting] = useState<{ at: Route; given?: string }>();
  const creating = writing?.at === route && page === 'cluster';
  // The route where something else is beside the table. It closes on any other route.
  const [aside, setAside] = useState<{ at: Route; shows: Aside }>();
  const [onBench, putOnBench] = useState<string>();
  const [commands, showCommands] = useState(false);
  const [tall, setTall] = useState(false);

  const kinds = useMemo(() => groups.flatMap(({ resources }) => resources), [groups]);
  const choose = (chosen: Resource) => go({ resource: resourceId(chosen), query: kWholeTable, name: '', objectNamespace: '' });
  const open = (name: string, namespace = '') => {
    setRequest(undefined);
    go({ name, objectNamespace: namespace });
  };
  const openCreated = (made: Resource, name: string, namespace: string) => {
    // In the version that the list of resources has.
    const all = groups.flatMap(({ resources }) => resources);
    const listed = all.find((each) => each.group === made.group && each.name === made.name) ?? made;
    const elsewhere = route.namespace !== '' && route.namespace !== namespace && made.namespaced;
    const query = resourceId(listed) === route.resource ? route.query : kWholeTable;
    go({ resource: resourceId(listed), query, namespace: elsewhere ? '' : route.namespace, name, objectNamespace: namespace });
  };
  const openChanged = ({ apiVersion: version, kind, name, namespace = '' }: StepChange) => {
    const changed = kinds.find((each) => each.kind === kind && apiVersion(each) === version);
    if (changed) openCreated(changed, name, namespace);
  };
  const beside = aside?.at === route && page === 'cluster' && !request && !creating ? aside.shows : undefined;
  const showBeside = (shows: Aside) => {
    setRequest(undefined);
    setWriting(undefined);
    setAside({ at: route, shows });
  };
  const closeBeside = () => setAside(undefined);
  const split = beside !== undefined || creating || request !== undefined || route.name !== '';
  const main = useRef<HTMLElement>(null);
  // On a narrow screen the pane takes the place of the table, of which the end may have been in sight.
  useEffect(() => {
    if (split) main.current?.scrollIntoView({ block: 'nearest' });
  }, [split]);
  const dragging = useFiles((given) => {
    if (page !== 'cluster') return;
    setRequest(undefined);
    setWriting({ at: route, given });
  });
  const selected = route.name === '' ? '' : `${route.objectNamespace}/${route.name}`;
  const row = useMemo(() => (selected === '' ? undefined : findRow(table.rows, selected)), [table.rows, selected]);
  const showsCluster = page === 'cluster';
  const canFill = place.where === 'server' && reach.up && !namespaces.includes('shop');
  const wantsToken = refusal?.code === 401 || refusal?.code === 403;

  return (
    <div class={`workbench ${showsCluster ? '' : 'bench-page'} ${tall ? 'tall' : ''}`}>
      <div class="top">
        <Header
          where={place.where}
          home={home}
          place={place}
          reach={reach}
          version={version}
          page={page}
          onWhere={onWhere}
          persona={persona?.user}
          onRights={() => showBeside('rights')}
          onFiles={() => showBeside('files')}
          hasFork={forking?.fork !== undefined}
          timeOpen={time.open}
          onTime={() => time.onOpen(!time.open)}
          onToken={tokens && (() => setAsksToken(!asksToken))}
          onLeave={onLeave}
          onOutcome={setOutcome}
        />
        {tokens && (asksToken || wantsToken) && <TokenBar inUse={tokens.inUse} user={user} onToken={tokens.onToken} />}
        <OutcomeNote outcome={outcome} onClose={() => setOutcome(undefined)} />
        {time.open && (
          <LatePart load={() => import('./view/time/time-bar')}>
            {({ TimeBar }) => <TimeBar place={place} forking={forking} onOpen={openChanged} onClose={() => time.onOpen(false)} />}
          </LatePart>
        )}
      </div>
      {page === 'tour' && (
        <div class="bench-place">
          <LateView load={async () => (await import('./view/tour/tour')).loadTour()}>{(Tour) => <Tour />}</LateView>
        </div>
      )}
      {page === 'bench' && (
        <div class="bench-place">
          <LateView load={async () => (await import('./view/patch-bench')).loadPatchBench()}>
            {(PatchBench) => <PatchBench object={onBench} />}
          </LateView>
        </div>
      )}
      {showsCluster && <ResourcePicker groups={groups} selected={route.resource} onSelect={choose} />}
      {showsCluster && !resource && <Nothing refusal={refusal} up={reach.up} />}
      {showsCluster && resource && (
        <main class={`main ${split ? 'split' : ''}`} ref={main}>
          <ResourceTable
            key={resourceId(resource)}
            client={client}
            resource={resource}
            table={table}
            namespaces={namespaces}
            namespace={route.namespace}
            selected={selected}
            now={() => client.transport.now()}
            emptyNote={canFill && <SampleOffer client={client} groups={groups} onOutcome={setOutcome} />}
            onNamespace={(namespace) => go({ namespace, name: '', objectNamespace: '' })}
            query={route.query}
            onQuery={(query) => go({ query })}
            onOpen={({ object }: Row) => object && open(object.metadata.name, object.metadata.namespace)}
            onNew={() => {
              setRequest(undefined);
              setWriting({ at: route });
            }}
            onRequest={() => setRequest({ target: resourcePath(resource, route.namespace) })}
            onPast={() => showBeside('past')}
            onTimeline={() => showBeside('timeline')}
          />
          {request && <RequestPane key={request} client={client} request={request} onClose={() => setRequest(undefined)} />}
          {beside === 'past' && (
            <LatePart load={() => import('./view/past-pane')}>
              {({ PastPane }) => <PastPane client={client} resource={resource} namespace={route.namespace} onClose={closeBeside} />}
            </LatePart>
          )}
          {beside === 'timeline' && (
            <LatePart load={() => import('./view/timeline')}>
              {({ Timeline }) => <Timeline client={client} path={resourcePath(resource, route.namespace)} locked={place.locked} onClose={closeBeside} />}
            </LatePart>
          )}
          {beside === 'rights' && (
            <LatePart load={() => import('./view/rights')}>
              {({ Rights }) => (
                <Rights client={client} own={place.client} kinds={kinds} namespace={route.namespace} persona={persona} onPersona={setPersona} onClose={closeBeside} />
              )}
            </LatePart>
          )}
          {beside === 'files' && (
            <LatePart load={() => import('./view/files')}>
              {({ Files }) => <Files place={place} groups={groups} namespace={route.namespace} forking={forking} onManifests={(given) => setWriting({ at: route, given })} onClose={closeBeside} />}
            </LatePart>
          )}
          {!request && creating && (
            <NewPane
              key={writing.given}
              client={client}
              here={{ resource, namespace: route.namespace }}
              given={writing.given}
              onOpen={openCreated}
              onClose={() => setWriting(undefined)}
            />
          )}
          {!request && !creating && !beside && route.name && (
            <ObjectPane
              key={`${route.resource} ${selected}`}
              client={client}
              resource={resource}
              name={route.name}
              namespace={route.objectNamespace}
              currentVersion={row?.object?.metadata.resourceVersion}
              onClose={() => open('')}
              onRequest={setRequest}
              kinds={kinds}
              onOpenOther={openCreated}
              onBench={(text) => {
                putOnBench(text);
                go({ resource: kBench, namespace: '', name: '', objectNamespace: '' });
              }}
            />
          )}
        </main>
      )}
      {showsCluster && !commands && (
        <ExchangePane
          log={client.log}
          server={place.address || kAnyServer}
          kinds={kinds}
          onCommandLine={() => showCommands(true)}
          tall={tall}
          onTall={setTall}
        />
      )}
      {showsCluster && commands && (
        <LatePart load={() => import('./view/command-line')}>
          {({ CommandLine }) => <CommandLine client={client} namespace={route.namespace} tall={tall} onTall={setTall} onClose={() => showCommands(false)} />}
        </LatePart>
      )}
      {dragging && showsCluster && <p class="drop-note">Drop manifests to look at them and create their objects</p>}
    </div>
  );
}

/** Where a tabernetes server is by default: the cluster in this page has no address. */
const kAnyServer = 'http://127.0.0.1:8001';

/** Shown if not even the list of resources is known. */
function Nothing({ refusal, up }: { refusal: ApiFailure | undefined; up: boolean }) {
  if (!refusal) return <main class="main" />;
  const { title, text } = outcomeOf({ status: refusal.code, text: '', failure: refusal.status }, '');
  return (
    <main class="main">
      <section class="pane missing" role="alert">
        <h2>{up ? title : 'The server does not answer.'}</h2>
        <p>{up ? (text ?? refusal.message) : 'This page goes on as soon as it does.'}</p>
      </section>
    </main>
  );
}

function find(groups: readonly Group[], id: string): Resource | undefined {
  const all = groups.flatMap(({ resources }) => resources);
  return all.find((each) => resourceId(each) === id) ?? all.find(({ name }) => name === 'pods') ?? all[0];
}

function useReach(transport: Transport): Reach {
  const [reach, setReach] = useState(transport.reach);
  useEffect(() => {
    setReach(transport.reach);
    return transport.onReach(() => setReach(transport.reach));
  }, [transport]);
  return reach;
}

interface Discovered {
  groups: readonly Group[];
  /** The reason if there are none. */
  refusal?: ApiFailure;
}

/** Returns the served resources, with custom ones. Reads them again whenever a definition changes. */
function useDiscovery(client: Client, { returns }: Reach): Discovered {
  const [discovered, setDiscovered] = useState<Discovered>({ groups: [] });
  useEffect(() => {
    const abort = new AbortController();
    const look = async () => {
      try {
        const groups = await discover(client);
        if (!abort.signal.aborted) setDiscovered({ groups });
      } catch (error) {
        // Keeps the known resources of a server that is unreachable for a while.
        const refusal = error instanceof ApiFailure ? error : undefined;
        if (!abort.signal.aborted) setDiscovered(({ groups }) => ({ groups: refusal?.code === 0 ? groups : [], refusal }));
      }
    };
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    void followNames(client, definitions, abort.signal, look, look);
    return () => abort.abort();
  }, [client]);
  // A user who may not watch definitions still sees the resources of a restarted server.
  useEffect(() => {
    if (returns > 0) void discover(client).then((groups) => setDiscovered({ groups })).catch(() => {});
  }, [client, returns]);
  return discovered;
}

function useVersion(client: Client, { returns }: Reach): string {
  const [version, setVersion] = useState('');
  useEffect(() => {
    void client.get<{ gitVersion: string }>('/version', 'application/json').then(
      ({ gitVersion }) => setVersion(gitVersion),
      () => setVersion(''),
    );
  }, [client, returns]);
  return version;
}

/** Returns the user name that the server gives this page. Asks only with a token. */
function useUser(client: Client, known: boolean): string {
  const [user, setUser] = useState('');
  useEffect(() => {
    setUser('');
    if (!known) return;
    const body = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' });
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    void client.send({ method: 'POST', target: '/apis/authentication.k8s.io/v1/selfsubjectreviews', headers, body }).then(({ status, text }) => {
      if (status !== 201) return;
      const { status: review } = JSON.parse(text) as { status?: { userInfo?: { username?: string } } };
      setUser(review?.userInfo?.username ?? '');
    });
  }, [client, known]);
  return user;
}

/** `namespace`: undefined if no table is shown. */
function useTable(client: Client, resource: Resource | undefined, namespace: string | undefined, query: TableQuery): TableState {
  const [shown, setShown] = useState<{ client?: Client; key: string; state: TableState }>({ key: '', state: kEmptyTable });
  const path = resource && namespace !== undefined ? resourcePath(resource, namespace) : undefined;
  const key = `${path} ${JSON.stringify(query)}`;
  useEffect(() => {
    if (path === undefined) return undefined;
    const abort = new AbortController();
    const table = { path, canWatch: resource!.verbs.includes('watch'), query };
    void followTable(client, table, abort.signal, (state) => setShown({ client, key, state }));
    return () => abort.abort();
  }, [client, key]);
  return shown.key === key && shown.client === client ? shown.state : kEmptyTable; // never rows of another table
}

/** Returns the names of the namespaces, kept up to date. */
function useNamespaces(client: Client): readonly string[] {
  const [names, setNames] = useState<readonly string[]>([]);
  useEffect(() => {
    const abort = new AbortController();
    setNames([]);
    void followNames(client, '/api/v1/namespaces', abort.signal, setNames);
    return () => abort.abort();
  }, [client]);
  return names;
}
