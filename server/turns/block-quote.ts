/** Text of others in a message to an agent, as a quotation. */
export function blockQuote(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}
