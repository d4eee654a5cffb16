/** The colours of one file in a diff, computed in short slices while it is in sight. */
import type { PatchLine } from '../parse-patch.ts';
import type { CodeToken } from './code-token.ts';
import { codeLanguage } from './code-language.ts';
import { isTooLarge } from './colour-bounds.ts';
import type { LineColours } from './colour-patch.ts';

/** A slice ends after this; a frame has 16 ms. */
const SLICE_MS = 8;
/** Lines drawn in their colours at once: a few hundred elements. */
const DRAWN_LINES = 40;

export class FileColours {
  /** Lines from the top that are drawn in their colours. */
  #drawn = $state(0);
  #colours = $state.raw<LineColours | null>(null);
  /** The language has colours, and the file is too large for them. */
  isTooLarge = $state(false);
  /** A newer request ends the older one. */
  #request = 0;

  /** Null for a line without colours, or without them yet. */
  of(line: PatchLine, index: number): readonly CodeToken[] | null {
    return index < this.#drawn ? (this.#colours?.get(line) ?? null) : null;
  }

  stop(): void {
    this.#request += 1;
  }

  /** Loads the language and colours the lines. Without the language they stay plain. */
  async read(path: string, lines: readonly PatchLine[]): Promise<void> {
    this.#request += 1;
    const request = this.#request;
    const language = codeLanguage(path);
    this.isTooLarge = language !== null && isTooLarge(lines);
    if (language === null || this.isTooLarge) return;
    const loaded = await load(language).catch(() => null);
    if (loaded === null) return;
    const { colourPatch, parser } = loaded;
    const steps = colourPatch(lines, parser);
    for (;;) {
      if (request !== this.#request) return;
      const sliceEnd = performance.now() + SLICE_MS;
      let step = steps.next();
      while (step.done !== true && performance.now() < sliceEnd) step = steps.next();
      if (step.done === true) {
        this.#drawn = 0;
        this.#colours = step.value;
        break;
      }
      await tick();
    }
    while (this.#drawn < lines.length && request === this.#request) {
      this.#drawn += DRAWN_LINES;
      await tick();
    }
  }
}

async function load(language: NonNullable<ReturnType<typeof codeLanguage>>) {
  const [{ colourPatch }, { loadParser }] = await Promise.all([
    import('./colour-patch.ts'),
    import('./load-parser.ts'),
  ]);
  return { colourPatch, parser: await loadParser(language) };
}

/** Lets the browser draw and handle input. */
async function tick(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
