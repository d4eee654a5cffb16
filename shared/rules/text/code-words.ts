/** The words of a code: what is shown of one that this version has no text for. */
export function codeWords(code: string): string {
  return code.replaceAll('_', ' ');
}
