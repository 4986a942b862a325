import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { KubeClient } from './api/client';
import { Exchanges } from './api/exchanges';
import { App } from './app';
import './style.css';

const client = new KubeClient('/k8s', new Exchanges());
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App client={client} />
  </StrictMode>,
);
