import './style/tokens.css';
import './style/layout.css';
import './style/parts.css';
import './style/bench.css';
import { render } from 'preact';
import { Playground } from './app';
import { readHost } from './cluster/host';
import { isWithCluster } from './cluster/late';
import { keepForOffline } from './offline/register';

const place = document.getElementById('app')!;
const host = await readHost();
place.textContent = '';
render(<Playground host={host} />, place);
if (import.meta.env.PROD && isWithCluster()) void keepForOffline(!host.server);
