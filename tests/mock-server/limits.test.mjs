// Tests how many connections the binary takes.
import { limitsOf } from './limits.mjs';
import { binary } from './server.mjs';

limitsOf(binary, { native: true });
