// The shapes of the Kubernetes API that this page reads.

/** A resource from discovery. */
export interface Resource {
  /** Empty for the core group. */
  group: string;
  version: string;
  /** Plural, lower case, as in paths. */
  name: string;
  kind: string;
  namespaced: boolean;
  verbs: readonly string[];
  shortNames: readonly string[];
}

export interface ObjectMeta {
  name: string;
  namespace?: string;
  resourceVersion?: string;
  creationTimestamp?: string;
  labels?: Readonly<Record<string, string>>;
}

export interface Status {
  kind: 'Status';
  status?: string;
  message?: string;
  reason?: string;
  code?: number;
  details?: { causes?: { field?: string; reason?: string; message?: string }[] };
}

export interface Column {
  name: string;
  type: string;
  format?: string;
  description?: string;
  /** 0 for columns that are always shown, more for wide tables. */
  priority: number;
}

export interface Row {
  cells: unknown[];
  object?: { metadata: ObjectMeta };
}

export interface Table {
  kind: 'Table';
  metadata?: { resourceVersion?: string; continue?: string };
  columnDefinitions?: Column[];
  rows?: Row[] | null;
}

export interface TableEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  object: Table;
}
