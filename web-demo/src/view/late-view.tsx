import type { ComponentChild } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { late } from '../cluster/late';
import { Missing } from './missing';

interface Props<Part> {
  /** Imports and prepares the part. Only the first `load` is called. */
  load(): Promise<Part>;
  children(part: Part): ComponentChild;
}

/** A part of this page that needs WebAssembly: shows it once it is loaded, or the reason why it is missing. */
export function LateView<Part>({ load, children }: Props<Part>) {
  const [state, setState] = useState<{ part?: Part; fault?: Error }>({});
  useEffect(() => {
    late(load).then(
      (part) => setState({ part }),
      (fault: Error) => setState({ fault }),
    );
  }, []);
  if (state.fault) return <Missing fault={state.fault} />;
  if (state.part === undefined) return <p class="starting">Loading…</p>;
  return <>{children(state.part)}</>;
}
