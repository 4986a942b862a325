// Tests aggregated APIs of `tabernetes serve` in Node.
import { join } from 'node:path';
import { aggregationOf } from '../mock-server/aggregation_cluster.mjs';
import { dist } from './support.mjs';

aggregationOf(join(dist, 'cli.js'));
