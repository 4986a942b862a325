// Tests the certificates that `tabernetes serve` issues in Node.
import { join } from 'node:path';
import { certificatesOf } from '../mock-server/certificates_cluster.mjs';
import { dist } from './support.mjs';

certificatesOf(join(dist, 'cli.js'));
