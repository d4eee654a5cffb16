/**
 * Takes text; puts it into the clipboard. Gives false where the browser does not let the page: without
 * TLS from another machine there is no clipboard.
 */
export async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
