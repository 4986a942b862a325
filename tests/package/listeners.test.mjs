// Tests where `tabernetes serve` in Node listens, how many connections it takes, and what SIGHUP reads anew.
import { join } from 'node:path';
import { limitsOf } from '../mock-server/limits.mjs';
import { listenersOf } from '../mock-server/listeners.mjs';
import { dist } from './support.mjs';

const cli = join(dist, 'cli.js');

limitsOf(cli);
listenersOf(cli);
