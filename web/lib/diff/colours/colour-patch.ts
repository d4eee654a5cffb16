/** Colours the lines of a diff: each part of it as the file was before, and as it is after. Pure. */
import type { Parser } from '@lezer/common';
import type { PatchLine } from '../parse-patch.ts';
import { colourCode } from './colour-code.ts';
import type { CodeToken } from './code-token.ts';

export type LineColours = ReadonlyMap<PatchLine, readonly CodeToken[]>;

/** Yields between short steps. A part that cannot be parsed has no colours. */
export function* colourPatch(
  lines: readonly PatchLine[],
  parser: Parser,
): Generator<void, LineColours> {
  const colours = new Map<PatchLine, readonly CodeToken[]>();
  for (const part of partsOf(lines)) {
    // Unchanged lines get the colours of the file as it is now.
    for (const side of ['removed', 'added'] as const) {
      const code = part.filter(({ kind }) => kind === 'same' || kind === side);
      if (!code.some(({ kind }) => kind === side) && side === 'removed') continue;
      try {
        const text = code.map((line) => line.text).join('\n');
        const tokens = yield* colourCode(text, parser);
        for (const [index, line] of code.entries()) colours.set(line, tokens[index] ?? []);
      } catch {
        // Nested too deeply for the parser.
      }
    }
  }
  return colours;
}

/** Between two parts, lines of the file are missing. */
function partsOf(lines: readonly PatchLine[]): PatchLine[][] {
  const parts: PatchLine[][] = [];
  for (const line of lines) {
    if (line.kind === 'place' || parts.length === 0) parts.push([]);
    if (line.kind !== 'place' && line.kind !== 'note') parts.at(-1)?.push(line);
  }
  return parts;
}
