// Tests aggregated APIs of the binary.
import { aggregationOf } from './aggregation_cluster.mjs';
import { binary } from './server.mjs';

aggregationOf(binary);
