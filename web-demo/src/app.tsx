import { useEffect, useMemo, useState } from 'preact/hooks';
import { Client, type Send } from './api/client';
import { discover, type Group } from './api/discovery';
import { ExchangeLog } from './api/exchange';
import { followTable, kEmptyTable, rowKey, type TableState } from './api/live-table';
import { resourceId, resourcePath } from './api/paths';
import type { Resource, Row } from './api/types';
import { kBench, type Route, useRoute } from './route';
import { startSample } from './sample/sample';
import { ExchangePane } from './view/exchange-pane';
import { Header } from './view/header';
import { ObjectPane } from './view/object-pane';
import { PatchBench } from './view/patch-bench';
import { RequestPane } from './view/request-pane';
import { ResourcePicker } from './view/resource-picker';
import { ResourceTable } from './view/resource-table';

const kStart = { resource: 'v1/pods', namespace: 'shop', name: '', objectNamespace: '' };

/** Makes a cluster, and another one on reset. */
export function Playground() {
  const [turn, setTurn] = useState(0);
  const [client, setClient] = useState<Client>();
  const [problem, setProblem] = useState('');
  useEffect(() => {
    setClient(undefined);
    const sample = startSample();
    sample.then(
      ({ cluster }) => setClient(new Client(cluster, new ExchangeLog())),
      (error: Error) => setProblem(error.message),
    );
    return () => void sample.then((old) => old.dispose());
  }, [turn]);
  if (problem) return <p class="starting">The cluster did not start: {problem}</p>;
  if (!client) return <p class="starting">Starting a cluster in this page…</p>;
  return <Workbench client={client} onReset={() => setTurn(turn + 1)} />;
}

function Workbench({ client, onReset }: { client: Client; onReset(): void }) {
  const [route, go] = useRoute(kStart);
  const [groups, version] = useDiscovery(client);
  const resource = useMemo(() => find(groups, route.resource), [groups, route.resource]);
  const table = useTable(client, resource, route.namespace);
  const namespaces = useNamespaces(client);
  const [request, setRequest] = useState<Send>();
  // Where a new object is being written: going elsewhere ends it.
  const [newAt, setNewAt] = useState<Route>();
  const creating = newAt === route;
  const [onBench, putOnBench] = useState<string>();

  const choose = (chosen: Resource) => go({ resource: resourceId(chosen), name: '', objectNamespace: '' });
  const open = (name: string, namespace = '') => {
    setRequest(undefined);
    go({ name, objectNamespace: namespace });
  };
  const selected = route.name === '' ? '' : `${route.objectNamespace}/${route.name}`;
  const row = table.rows.find((each) => rowKey(each) === selected);

  if (route.resource === kBench) {
    return (
      <div class="workbench bench-page">
        <Header cluster={client.cluster} version={version} page="bench" onReset={onReset} />
        <PatchBench object={onBench} />
      </div>
    );
  }
  return (
    <div class="workbench">
      <Header cluster={client.cluster} version={version} page="cluster" onReset={onReset} />
      <ResourcePicker groups={groups} selected={route.resource} onSelect={choose} />
      {resource && (
        <main class={`main ${route.name || creating || request ? 'split' : ''}`}>
          <ResourceTable
            resource={resource}
            table={table}
            namespaces={namespaces}
            namespace={route.namespace}
            selected={selected}
            now={() => client.cluster.now}
            onNamespace={(namespace) => go({ namespace, name: '', objectNamespace: '' })}
            onOpen={({ object }: Row) => object && open(object.metadata.name, object.metadata.namespace)}
            onNew={() => setNewAt(route)}
            onRequest={() => setRequest({ target: resourcePath(resource, route.namespace) })}
          />
          {request && <RequestPane key={request} client={client} request={request} onClose={() => setRequest(undefined)} />}
          {!request && (route.name || creating) && (
            <ObjectPane
              key={`${route.resource} ${creating ? 'new' : selected}`}
              client={client}
              resource={resource}
              name={creating ? '' : route.name}
              namespace={creating ? route.namespace : route.objectNamespace}
              currentVersion={row?.object?.metadata.resourceVersion}
              onOpen={open}
              onClose={() => (creating ? setNewAt(undefined) : open(''))}
              onRequest={setRequest}
              onBench={(text) => {
                putOnBench(text);
                go({ resource: kBench, namespace: '', name: '', objectNamespace: '' });
              }}
            />
          )}
        </main>
      )}
      <ExchangePane log={client.log} />
    </div>
  );
}

function find(groups: readonly Group[], id: string): Resource | undefined {
  const all = groups.flatMap(({ resources }) => resources);
  return all.find((each) => resourceId(each) === id) ?? all.find(({ name }) => name === 'pods') ?? all[0];
}

/** What is served, custom resources included: asked again whenever a definition of one has changed. */
function useDiscovery(client: Client): [readonly Group[], string] {
  const [groups, setGroups] = useState<readonly Group[]>([]);
  const [version, setVersion] = useState('');
  useEffect(() => {
    const abort = new AbortController();
    const definitions = { path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', canWatch: true };
    void followTable(client, definitions, abort.signal, () => void discover(client).then(setGroups));
    return () => abort.abort();
  }, [client]);
  useEffect(() => {
    void client
      .get<{ gitVersion: string }>('/version', 'application/json')
      .then(({ gitVersion }) => setVersion(gitVersion));
  }, [client]);
  return [groups, version];
}

function useTable(client: Client, resource: Resource | undefined, namespace: string): TableState {
  const [shown, setShown] = useState({ path: '', state: kEmptyTable });
  const path = resource && resourcePath(resource, namespace);
  useEffect(() => {
    if (path === undefined) return undefined;
    const abort = new AbortController();
    const table = { path, canWatch: resource!.verbs.includes('watch') };
    void followTable(client, table, abort.signal, (state) => setShown({ path, state }));
    return () => abort.abort();
  }, [client, path]);
  return shown.path === path ? shown.state : kEmptyTable; // never the rows of what was open before
}

/** The names of the namespaces, live. */
function useNamespaces(client: Client): readonly string[] {
  const [names, setNames] = useState<readonly string[]>([]);
  useEffect(() => {
    const abort = new AbortController();
    const namespaces = { path: '/api/v1/namespaces', canWatch: true };
    void followTable(client, namespaces, abort.signal, ({ rows }) =>
      setNames(rows.map(({ object }) => object?.metadata.name ?? '')),
    );
    return () => abort.abort();
  }, [client]);
  return names;
}
