import { useState } from 'react';
import { ApiError } from '../api/client';

interface Props {
  /** The manifest of the object as it is now. */
  manifest: string;
  apply: (manifest: string, options: { force: boolean }) => Promise<void>;
}

/** Edits a manifest. What others change meanwhile shows as long as the user has changed nothing. */
export function ManifestEditor({ manifest, apply }: Props) {
  const [draft, setDraft] = useState<string>();
  const [error, setError] = useState<Error>();
  const text = draft ?? manifest;
  const save = async (force: boolean) => {
    try {
      await apply(text, { force });
      setDraft(undefined);
      setError(undefined);
    } catch (fault) {
      setError(fault as Error);
    }
  };
  const cancel = () => {
    setDraft(undefined);
    setError(undefined);
  };
  const isConflict = error instanceof ApiError && error.status.reason === 'Conflict';
  return (
    <form aria-label="Manifest" onSubmit={(event) => (event.preventDefault(), void save(false))}>
      <textarea aria-label="YAML" spellCheck={false} rows={24} value={text} onChange={({ target }) => setDraft(target.value)} />
      {error && <p role="alert">{error.message}</p>}
      <button type="submit" disabled={draft === undefined}>
        Apply
      </button>
      {isConflict && (
        <button type="button" onClick={() => void save(true)}>
          Overwrite
        </button>
      )}
      {draft !== undefined && (
        <button type="button" onClick={cancel}>
          Cancel
        </button>
      )}
    </form>
  );
}
