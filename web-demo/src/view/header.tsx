import { useEffect, useState } from 'preact/hooks';
import type { Cluster } from 'tabernetes';
import { kBench } from '../route';
import { Icon } from './icon';

interface Props {
  cluster: Cluster;
  version: string;
  /** Which page is shown. */
  page: 'cluster' | 'bench';
  onReset(): void;
}

export function Header({ cluster, version, page, onReset }: Props) {
  return (
    <header class="header">
      <a class="brand" href="#/" aria-label="tabernetes playground">
        <Icon name="logo" />
        <span>tabernetes</span>
      </a>
      <nav class="pages" aria-label="Pages">
        <a href="#/" aria-current={page === 'cluster' ? 'page' : undefined}>
          Cluster
        </a>
        <a href={`#/${kBench}`} aria-current={page === 'bench' ? 'page' : undefined}>
          Patch bench
        </a>
      </nav>
      <span class="tag" title="The API that this page's cluster serves">
        {version ? `Kubernetes ${version}` : 'starting'}
      </span>
      <span class="header-note">This cluster lives in this page: no server, nothing leaves it.</span>
      <Clock cluster={cluster} />
      <button class="button quiet" onClick={onReset} title="Throw the cluster away and start again">
        <Icon name="reset" /> Reset
      </button>
    </header>
  );
}

function Clock({ cluster }: { cluster: Cluster }) {
  const [now, setNow] = useState(cluster.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(cluster.now), 1000);
    return () => clearInterval(timer);
  }, [cluster]);
  const advance = () => {
    cluster.advance(60_000);
    setNow(cluster.now);
  };
  return (
    <span class="clock">
      <time dateTime={now.toISOString()} title="The cluster's time (UTC)">
        {now.toISOString().slice(11, 19)}
      </time>
      <button class="button quiet" onClick={advance} title="Move the cluster's time on by a minute">
        +1 min
      </button>
    </span>
  );
}
