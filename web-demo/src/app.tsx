import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Client } from './api/client';
import { ExchangeLog } from './api/exchange';
import { snapshotIn } from './api/sharing';
import type { Host } from './cluster/host';
import { isWithCluster, late } from './cluster/late';
import type { PagePlace } from './cluster/page-place';
import { type Place, serverPlace } from './cluster/place';
import { type Destination, otherPlace } from './cluster/other-place';
import { apiBase, ServerTransport } from './cluster/server-transport';
import { pageOf, type Route, startRoute, useRoute, type Where } from './route';
import { Header } from './view/header';
import { LatePart } from './view/late-part';
import { Missing } from './view/missing';
import type { Outcome } from './view/outcome';
import type { Forking } from './view/time/fork-controls';
import { Workbench } from './workbench';

/** Shows the server's cluster, if there is a server, one inside this page, or one at another address; the page's address decides. */
export function Playground({ host }: { host: Host }) {
  const home: Where = host.server ? 'server' : 'page';
  const [route, go] = useRoute(home);
  const [token, setToken] = useState('');
  const [timeOpen, openTime] = useState(false);
  const server = useServerPlace(host, token);
  const inPage = usePagePlace(route.where === 'page');
  const onWhere = (where: Where) => {
    go(pageOf(route) !== 'cluster' ? { where } : { ...startRoute(where), resource: route.resource });
  };
  const { forking, fork } = useForking((where) => onWhere(where));
  const [destination, setDestination] = useState<Destination>();
  const other = useMemo(() => destination && otherPlace(destination), [destination]);
  const place = { server, fork, other, page: inPage.place }[route.where];
  // A fork is gone with its page.
  useEffect(() => {
    if (route.where === 'fork' && !fork) onWhere(home);
  }, [route.where, fork]);

  if (place) {
    const tokens = route.where === 'server' ? { inUse: token !== '', onToken: setToken } : undefined;
    return (
      <Workbench
        key={place.where === 'fork' || place.where === 'other' ? place : place.where}
        place={place}
        home={home}
        route={route}
        go={go}
        onWhere={onWhere}
        tokens={tokens}
        onLeave={place === other ? () => setDestination(undefined) : undefined}
        forking={isWithCluster() ? forking : undefined}
        time={{ open: timeOpen, onOpen: openTime }}
      />
    );
  }
  if (route.where === 'other') {
    const connect = (to: Destination) => {
      setDestination(to);
      if (pageOf(route) === 'cluster') go({ ...startRoute('other'), resource: route.resource, namespace: to.namespace });
    };
    return <Connecting home={home} route={route} onWhere={onWhere} onConnect={connect} />;
  }
  return <Starting home={home} route={route} fault={inPage.fault} onWhere={onWhere} />;
}

/** Makes and keeps one fork; a new one replaces it. */
function useForking(onWhere: (where: Where) => void): { forking: Forking; fork: PagePlace | undefined } {
  const [pair, setPair] = useState<{ fork: PagePlace; origin: Place | undefined }>();
  const make = async (snapshot: string, origin: Place | undefined) => {
    const { startFork } = await late(() => import('./cluster/page-place'));
    const fork = await startFork(snapshot);
    pair?.fork.dispose();
    setPair({ fork, origin: origin?.where === 'fork' ? pair?.origin : origin });
    onWhere('fork');
    return fork;
  };
  // A link may bring a cluster.
  useEffect(() => {
    snapshotIn(location.hash).then(
      (given) => (given ? void make(given, undefined) : undefined),
      (fault: Error) => reportError(fault),
    );
  }, []);
  return { forking: { origin: pair?.origin, fork: pair?.fork, make }, fork: pair?.fork };
}

/** Shown until the cluster inside the page has started, or if it cannot start. */
function Starting({ home, route, fault, onWhere }: { home: Where; route: Route; fault: Error | undefined; onWhere(where: Where): void }) {
  const nothing = (_: Outcome | undefined) => {};
  return (
    <div class="workbench bench-page">
      <Header
        where={route.where}
        home={home}
        place={undefined}
        reach={{ up: !fault, returns: 0 }}
        version=""
        page={pageOf(route)}
        onWhere={onWhere}
        onOutcome={nothing}
      />
      <div class="bench-place">{fault ? <Missing fault={fault} /> : <p class="starting">Starting a cluster in this page…</p>}</div>
    </div>
  );
}

/** Shown until the address of another cluster is given. */
function Connecting({ home, route, onWhere, onConnect }: { home: Where; route: Route; onWhere(where: Where): void; onConnect(to: Destination): void }) {
  return (
    <div class="workbench bench-page">
      <Header where="other" home={home} place={undefined} reach={{ up: true, returns: 0 }} version="" page={pageOf(route)} onWhere={onWhere} onOutcome={() => {}} />
      <div class="bench-place">
        <LatePart load={() => import('./view/connect')}>{({ Connect }) => <Connect onConnect={onConnect} />}</LatePart>
      </div>
    </div>
  );
}

function useServerPlace(host: Host, token: string): Place | undefined {
  const log = useMemo(() => new ExchangeLog(), []);
  return useMemo(() => {
    if (!host.server) return undefined;
    const transport = new ServerTransport(apiBase(), host.clock, { token });
    return serverPlace(new Client(transport, log), transport, { admin: host.admin, stands: host.clock === 'stands' });
  }, [host, log, token]);
}

/** Starts the cluster inside the page on first use, and keeps it while another place is shown. */
function usePagePlace(wanted: boolean): { place?: PagePlace; fault?: Error } {
  const [state, setState] = useState<{ place?: PagePlace; fault?: Error }>({});
  const begun = useRef(false);
  useEffect(() => {
    if (!wanted || begun.current) return;
    begun.current = true;
    late(() => import('./cluster/page-place'))
      .then(({ startPagePlace }) => startPagePlace())
      .then(
        (place) => setState({ place }),
        (fault: Error) => setState({ fault }),
      );
  }, [wanted]);
  return state;
}
