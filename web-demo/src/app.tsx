import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Client } from './api/client';
import { ExchangeLog } from './api/exchange';
import type { Host } from './cluster/host';
import { late } from './cluster/late';
import type { PagePlace } from './cluster/page-place';
import { type Place, serverPlace } from './cluster/place';
import { apiBase, ServerTransport } from './cluster/server-transport';
import { pageOf, type Route, startRoute, useRoute, type Where } from './route';
import { Header } from './view/header';
import { Missing } from './view/missing';
import type { Outcome } from './view/outcome';
import { Workbench } from './workbench';

/** Shows the server's cluster, if there is a server, or one inside this page; the address decides. */
export function Playground({ host }: { host: Host }) {
  const home: Where = host.server ? 'server' : 'page';
  const [route, go] = useRoute(home);
  const [token, setToken] = useState('');
  const server = useServerPlace(host, token);
  const inPage = usePagePlace(route.where === 'page');
  const place: Place | undefined = route.where === 'server' ? server : inPage.place;
  const onWhere = (where: Where) => {
    go(pageOf(route) !== 'cluster' ? { where } : { ...startRoute(where), resource: route.resource });
  };

  if (place) {
    const tokens = route.where === 'server' ? { inUse: token !== '', onToken: setToken } : undefined;
    return <Workbench key={place.where} place={place} home={home} route={route} go={go} onWhere={onWhere} tokens={tokens} />;
  }
  return <Starting home={home} route={route} fault={inPage.fault} onWhere={onWhere} />;
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

function useServerPlace(host: Host, token: string): Place | undefined {
  const log = useMemo(() => new ExchangeLog(), []);
  return useMemo(() => {
    if (!host.server) return undefined;
    const transport = new ServerTransport(apiBase(), host.clock, token);
    return serverPlace(new Client(transport, log), transport, host.admin);
  }, [host, log, token]);
}

/**
 * Starts the cluster inside the page on first use, keeps it while another place is shown, and starts a new one on
 * reset.
 */
function usePagePlace(wanted: boolean): { place?: PagePlace; fault?: Error } {
  const [state, setState] = useState<{ place?: PagePlace; fault?: Error }>({});
  const [turn, setTurn] = useState(0);
  const begun = useRef(-1);
  useEffect(() => {
    if (!wanted || begun.current === turn) return;
    begun.current = turn;
    state.place?.dispose();
    setState({});
    late(() => import('./cluster/page-place'))
      .then(({ startPagePlace }) => startPagePlace(() => setTurn((last) => last + 1)))
      .then(
        (place) => setState({ place }),
        (fault: Error) => setState({ fault }),
      );
  }, [wanted, turn]);
  return state;
}
