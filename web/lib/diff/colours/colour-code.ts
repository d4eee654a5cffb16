/**
 * Colours a text in small steps, so that the caller decides when to continue. The parsers are LR
 * parsers: their time grows with the text alone, not with what it contains. Pure.
 */
import type { Parser, Tree } from '@lezer/common';
import { highlightTree, tagHighlighter, tags } from '@lezer/highlight';
import type { CodeToken, TokenKind } from './code-token.ts';

/** Characters of a step, once the text is parsed. */
const STEP = 1_000;

const kinds: Record<TokenKind, readonly (typeof tags.keyword)[]> = {
  comment: [tags.comment, tags.meta, tags.processingInstruction],
  keyword: [tags.keyword, tags.operatorKeyword, tags.modifier, tags.self, tags.heading],
  string: [tags.string, tags.regexp, tags.escape, tags.attributeValue, tags.monospace],
  number: [tags.number, tags.bool, tags.null, tags.atom, tags.color, tags.unit],
  name: [
    tags.function(tags.variableName),
    tags.function(tags.propertyName),
    tags.function(tags.definition(tags.variableName)),
    tags.definition(tags.propertyName),
    tags.tagName,
    tags.macroName,
    tags.labelName,
    tags.link,
  ],
  type: [tags.typeName, tags.className, tags.namespace, tags.attributeName, tags.annotation],
};
const highlighter = tagHighlighter(
  Object.entries(kinds).flatMap(([kind, own]) => own.map((tag) => ({ tag, class: kind }))),
);

/** Returns the tokens of each line of `text`; yields between the steps. */
export function* colourCode(text: string, parser: Parser): Generator<void, CodeToken[][]> {
  const parse = parser.startParse(text);
  let tree: Tree | null;
  while ((tree = parse.advance()) === null) yield;
  const spans: { from: number; to: number; kind: TokenKind }[] = [];
  for (let from = 0; from < text.length; from += STEP) {
    const until = Math.min(from + STEP, text.length);
    highlightTree(
      tree,
      highlighter,
      (start, end, kind) => {
        // With several tags the last is the most specific.
        const [last = ''] = kind.split(' ').slice(-1);
        spans.push({ from: start, to: Math.min(end, until), kind: last as TokenKind });
      },
      from,
      until,
    );
    yield;
  }
  return tokensByLine(text, spans);
}

function tokensByLine(
  text: string,
  spans: readonly { from: number; to: number; kind: TokenKind }[],
): CodeToken[][] {
  const lines: CodeToken[][] = [];
  let next = 0;
  let start = 0;
  for (const line of text.split('\n')) {
    const end = start + line.length;
    const tokens: CodeToken[] = [];
    let at = start;
    for (; next < spans.length; next += 1) {
      const span = spans[next];
      if (span === undefined || span.from >= end) break;
      const from = Math.max(span.from, at);
      const to = Math.min(span.to, end);
      if (from > at) tokens.push({ end: from - start, kind: null });
      if (to > from) tokens.push({ end: to - start, kind: span.kind });
      at = Math.max(at, to);
      // The rest of it is in the lines below.
      if (span.to > end) break;
    }
    if (at < end) tokens.push({ end: line.length, kind: null });
    lines.push(tokens);
    start = end + 1;
  }
  return lines;
}
