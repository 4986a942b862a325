// Tests HTTPS and HTTP/2 of the binary around the core; tls.test.mjs tests how they are carried, around a fake core.
import { httpsOf } from './https_cluster.mjs';
import { binary } from './server.mjs';

httpsOf(binary);
