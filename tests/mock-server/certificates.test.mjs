// Tests the certificates that the binary issues.
import { certificatesOf } from './certificates_cluster.mjs';
import { binary } from './server.mjs';

certificatesOf(binary);
