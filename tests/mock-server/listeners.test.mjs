// Tests where the binary listens, and what SIGHUP reads anew.
import { listenersOf } from './listeners.mjs';
import { binary } from './server.mjs';

listenersOf(binary);
