const HASH_KEY = 'k';

/** Takes a URL fragment; gives the login code in it, or null. */
function loginCodeOf(hash: string): string | null {
  const code = new URLSearchParams(hash.replace(/^#/, '')).get(HASH_KEY);
  return code === null || code === '' ? null : code;
}

/** Takes what a person pasted: a login link or a token; tells which it is. */
export function parsePasted(text: string): { code: string } | { token: string } | null {
  const pasted = text.trim();
  if (pasted === '') return null;
  const fragment = pasted.indexOf('#');
  const code = fragment === -1 ? null : loginCodeOf(pasted.slice(fragment));
  return code === null ? { token: pasted } : { code };
}

/** Takes the login code out of the address bar and the history, at once; gives it or null. */
export function takeLoginCode(): string | null {
  const code = loginCodeOf(location.hash);
  if (code !== null) {
    history.replaceState(history.state, '', location.pathname + location.search);
  }
  return code;
}
