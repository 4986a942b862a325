// Tests what goes wrong on purpose with the binary.
import { faultsOf } from './faults.mjs';
import { binary } from './server.mjs';

faultsOf(binary);
