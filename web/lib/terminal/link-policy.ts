/** Where a link in a terminal may lead. Whatever runs there wrote it. Pure. */

const PROTOCOLS = ['http:', 'https:'];
const MAX_LENGTH = 2048;

/**
 * Takes an address as a terminal gave it; gives it as the browser will go there, or null when it
 * must not be opened: another protocol than http and https, a name and password that could be
 * mistaken for the host, or too long to be read by anybody.
 */
export function openableAddress(text: string): string | null {
  if (text.length > MAX_LENGTH || !URL.canParse(text)) return null;
  const { protocol, username, password, href } = new URL(text);
  if (!PROTOCOLS.includes(protocol) || username !== '' || password !== '') return null;
  return href;
}
