import { useState } from 'preact/hooks';

interface Props {
  /** True if a token is in use. */
  inUse: boolean;
  /** The user name that the server gives the page, if known. */
  user: string;
  onToken(token: string): void;
}

/** Asks for a bearer token. It is sent with every request and not stored. */
export function TokenBar({ inUse, user, onToken }: Props) {
  const [token, setToken] = useState('');
  return (
    <form
      class="token-bar"
      aria-label="Token"
      onSubmit={(event) => {
        event.preventDefault();
        if (token.trim() === '') return;
        onToken(token.trim());
        setToken('');
      }}
    >
      <label>
        <span class="muted">Bearer token</span>
        <input
          class="mono"
          type="password"
          autocomplete="off"
          spellcheck={false}
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
        />
      </label>
      <button class="button primary" type="submit" disabled={token.trim() === ''}>
        Use
      </button>
      {inUse && (
        <button class="button" type="button" onClick={() => onToken('')}>
          Forget
        </button>
      )}
      <span class="muted token-note">
        {user && `You are ${user}. `}
        {inUse ? 'The token is in use until this page is closed or reloaded.' : 'It is kept in memory only, until this page is closed or reloaded.'}
      </span>
    </form>
  );
}
