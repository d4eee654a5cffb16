/** Colours of code in a diff as values: language, tokens, bounds and contrast. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { codeLanguage } from '../../../../web/lib/diff/colours/code-language.ts';
import { isTooLarge } from '../../../../web/lib/diff/colours/colour-bounds.ts';
import { colourPatch } from '../../../../web/lib/diff/colours/colour-patch.ts';
import { TOKEN_KINDS } from '../../../../web/lib/diff/colours/code-token.ts';
import { loadParser } from '../../../../web/lib/diff/colours/load-parser.ts';
import { parsePatch, type PatchLine } from '../../../../web/lib/diff/parse-patch.ts';

/** Each line with its tokens as `[kind text]`. */
async function coloured(path: string, ...rows: string[]): Promise<string[]> {
  const before = rows.filter((row) => !row.startsWith('+') && !row.startsWith('@')).length;
  const after = rows.filter((row) => !row.startsWith('-') && !row.startsWith('@')).length;
  const head = `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n`;
  const patch = `${head}@@ -1,${before} +1,${after} @@\n${rows.join('\n')}\n`;
  return show(path, parsePatch(patch)[0]?.lines ?? []);
}

async function show(path: string, lines: readonly PatchLine[]): Promise<string[]> {
  const steps = colourPatch(lines, await loadParser(codeLanguage(path) ?? 'json'));
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  const colours = step.value;
  return lines.flatMap((line) => {
    if (line.kind === 'place') return [];
    const tokens = colours.get(line);
    if (tokens === undefined) return ['plain'];
    // Nothing of the line is lost.
    expect(tokens.at(-1)?.end ?? 0).toBe(line.text.length);
    return [
      tokens
        .map(({ end, kind }, index) => {
          const part = line.text.slice(tokens[index - 1]?.end ?? 0, end);
          return kind === null ? part : `[${kind} ${part}]`;
        })
        .join(''),
    ];
  });
}

function line(text: string): PatchLine {
  return { kind: 'added', text, before: null, after: 1 };
}

describe('colours', () => {
  it('DV8 removed and added lines are read as the file was before and is after', async () => {
    const lines = await coloured(
      'a.ts',
      ' /* one',
      '-two */ const a = "x";',
      '+two',
      '+*/ let b = 1;',
    );
    expect(lines).toEqual([
      '[comment /* one]',
      '[comment two */] [keyword const] a = [string "x"];',
      '[comment two]',
      '[comment */] [keyword let] b = [number 1];',
    ]);
  });

  it('DV8 each language is read by its own rules, by the name of the file', async () => {
    expect(codeLanguage('src/App.SVELTE')).toBe('html');
    expect(codeLanguage('a/b.tsx')).toBe('tsx');
    for (const path of ['LICENSE', 'a.ts/b', '.ts.', 'a.unknown', 'constructor', 'a.constructor'])
      expect(codeLanguage(path)).toBe(null);
    expect(await coloured('a.py', '+def f(): # no')).toEqual([
      '[keyword def] [name f](): [comment # no]',
    ]);
    expect(await coloured('a.json', '+{"a": true}')).toEqual(['{"a": [number true]}']);
    expect(await coloured('a.php', '+function a() { return "x"; }')).toEqual([
      '[keyword function] [name a]() { [keyword return] [string "x"]; }',
    ]);
    expect(await coloured('a.html', '+<script>', '+let a;', '+</script>')).toEqual([
      '<[name script]>',
      '[keyword let] a;',
      '</[name script]>',
    ]);
  });

  it('DV9 what is larger than the bounds is plain', () => {
    expect(isTooLarge([line('a')])).toBe(false);
    expect(isTooLarge(Array.from({ length: 2_001 }, () => line('a')))).toBe(true);
    expect(isTooLarge([line('a'.repeat(1_001))])).toBe(true);
    expect(isTooLarge(Array.from({ length: 61 }, () => line('a'.repeat(1_000))))).toBe(true);
  });

  it('DV10 code made to hurt a parser is read in many steps, and stays whole', async () => {
    const hostile = ['('.repeat(900), '`${'.repeat(300), '/*', '{['.repeat(400), '😀</script>\0'];
    const lines = Array.from({ length: 20 }, () => hostile.map(line)).flat();
    for (const path of ['a.ts', 'a.html', 'a.md', 'a.yaml'])
      expect(await show(path, lines)).toHaveLength(lines.length);
    const steps = colourPatch(lines, await loadParser('typescript'));
    let count = 0;
    while (steps.next().done !== true) count += 1;
    expect(count).toBeGreaterThan(lines.length);
  });
});

describe('theme', () => {
  const css = readFileSync('web/styles/tokens.css', 'utf8');

  function colour(name: string, theme: 0 | 1): string {
    const [, light = '', dark = ''] =
      new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(css) ?? [];
    return theme === 0 ? light : dark;
  }

  /** The relative luminance of WCAG. */
  function luminance(hex: string): number {
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }

  it('DV8 every colour has a contrast of 4.5 to 1 on each ground of a diff, light and dark', () => {
    for (const theme of [0, 1] as const)
      for (const ground of ['surface', 'good-surface', 'fail-surface'])
        for (const name of [...TOKEN_KINDS.map((kind) => `code-${kind}`), 'text']) {
          const pair = [luminance(colour(name, theme)), luminance(colour(ground, theme))];
          const ratio = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
          expect([theme, ground, name, ratio >= 4.5]).toEqual([theme, ground, name, true]);
        }
  });
});
