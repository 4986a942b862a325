// The command line, for the page and for its tests.
export { kCommandNames, runLine } from './kubectl/command';
export { completions } from './kubectl/complete';
export { Session, type Api, type Terminal } from './kubectl/session';
export { yamlOf } from './kubectl/yaml';
