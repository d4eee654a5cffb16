export interface FencedLine {
  line: string;
  /** In a code block between fences, or one of the fences. */
  isCode: boolean;
}

const FENCE = /^\s*(`{3,}(?=[^`]*$)|~{3,})/;

/**
 * The lines of Markdown, each with whether it is code. A fence ends with at least as many of the
 * same signs alone on a line, or with the text. Linear.
 */
export function fencedLines(text: string): FencedLine[] {
  let open: string | null = null;
  return text.split(/\r?\n/).map((line) => {
    if (open === null) {
      open = FENCE.exec(line)?.[1] ?? null;
      return { line, isCode: open !== null };
    }
    if (ends(line.trim(), open)) open = null;
    return { line, isCode: true };
  });
}

function ends(line: string, open: string): boolean {
  const sign = open.charAt(0);
  return line.length >= open.length && line === sign.repeat(line.length);
}
