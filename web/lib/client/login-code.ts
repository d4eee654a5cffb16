const HASH_KEY = 'k';

function loginCodeOf(hash: string): string | null {
  const code = new URLSearchParams(hash.replace(/^#/, '')).get(HASH_KEY);
  return code === null || code === '' ? null : code;
}

/** Reads a pasted login link or token; null for neither. */
export function parsePasted(text: string): { code: string } | { token: string } | null {
  const pasted = text.trim();
  if (pasted === '') return null;
  const fragment = pasted.indexOf('#');
  const code = fragment === -1 ? null : loginCodeOf(pasted.slice(fragment));
  return code === null ? { token: pasted } : { code };
}

/** Removes the login code from the address bar and the history at once. */
export function takeLoginCode(): string | null {
  const code = loginCodeOf(location.hash);
  if (code !== null) {
    history.replaceState(history.state, '', location.pathname + location.search);
  }
  return code;
}
