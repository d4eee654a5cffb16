/** The subset of Markdown that agents use. Nothing becomes HTML; the rest stays text. Pure. */

export type Block =
  | { kind: 'text'; text: string }
  | { kind: 'heading'; text: string }
  | { kind: 'code'; text: string; language: string };

export interface Span {
  kind: 'plain' | 'code' | 'strong';
  text: string;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([^`]*)$/;
const HEADING = /^#{1,6}\s+(.+?)\s*#*$/;

/** In order. An unclosed fence extends to the end. */
export function textBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let lines: string[] = [];
  let fence: { mark: string; language: string } | null = null;
  const close = (): void => {
    const joined = lines.join('\n');
    lines = [];
    if (fence !== null) blocks.push({ kind: 'code', text: joined, language: fence.language });
    else if (joined.trim() !== '') blocks.push({ kind: 'text', text: trimBlank(joined) });
  };
  for (const line of text.split('\n')) {
    if (fence === null) {
      const opened = FENCE.exec(line);
      const heading = HEADING.exec(line);
      if (opened === null && heading === null) {
        lines.push(line);
        continue;
      }
      close();
      if (opened !== null) fence = { mark: opened[1] ?? '```', language: (opened[2] ?? '').trim() };
      else blocks.push({ kind: 'heading', text: heading?.[1] ?? '' });
    } else if (isEnd(line, fence.mark)) {
      close();
      fence = null;
    } else {
      lines.push(line);
    }
  }
  if (fence !== null || lines.length > 0) close();
  return blocks;
}

export function textSpans(text: string): Span[] {
  const spans: Span[] = [];
  let end = 0;
  for (const found of text.matchAll(/`([^`\n]+)`|\*\*([^*\n]+)\*\*/g)) {
    if (found.index > end) spans.push({ kind: 'plain', text: text.slice(end, found.index) });
    const [all, code, strong] = found;
    spans.push(
      code === undefined ? { kind: 'strong', text: strong ?? '' } : { kind: 'code', text: code },
    );
    end = found.index + all.length;
  }
  if (end < text.length) spans.push({ kind: 'plain', text: text.slice(end) });
  return spans;
}

function isEnd(line: string, mark: string): boolean {
  const trimmed = line.trim();
  return trimmed.startsWith(mark) && trimmed.replaceAll(mark.charAt(0), '') === '';
}

function trimBlank(text: string): string {
  return text.replace(/^(?:[ \t]*\n)+/, '').replace(/(?:\n[ \t]*)+$/, '');
}
