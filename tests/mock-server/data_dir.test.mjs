// Tests --data-dir of the native server.
import { dataDirOf } from './data_dir.mjs';
import { binary } from './server.mjs';

dataDirOf(binary);
