/** The rows of a Markdown table; the first one is the head. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`);
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

/** As inline code; empty stays empty. */
export function code(text: string): string {
  return text === '' ? '' : `\`${text}\``;
}
