/**
 * False when the browser does not allow it: without TLS, a page from another machine has no
 * clipboard.
 */
export async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
