/** What the output of a terminal shows, read piece by piece. Weaker than what the client itself reports. */
import { findCompletion } from './completion-line.ts';
import { readPlanMenu } from './plan-menu.ts';
import { TerminalText } from './terminal-text.ts';
import { readTokens } from './token-count.ts';
import { findWork } from './working-window.ts';

/** More new characters than this are text; fewer, or text drawn again, are a redraw. As published. */
const SUBSTANTIAL = 2;

const PROMPT = /(?:^|\n) ?[❯⏵](?! ?\d)/u;

export interface OutputSigns {
  /** New text, not only a redraw. */
  isSubstantial: boolean;
  /** The row that shows work, and the line that ends a turn: only the one that came last. */
  work: string | null;
  completion: string | null;
  /** The client drew its prompt. */
  isPrompt: boolean;
  tokens: number | null;
  /** The menu at the end of the output, which may be a plan's. */
  menu: string[] | null;
}

/** Nothing was drawn. */
export const NO_SIGNS: OutputSigns = {
  isSubstantial: false,
  work: null,
  completion: null,
  isPrompt: false,
  tokens: null,
  menu: null,
};

export class OutputReader {
  readonly #text = new TerminalText();

  /** Cheap: nothing is read before `read`. */
  push(bytes: Uint8Array): void {
    this.#text.push(bytes);
  }

  /** What was drawn since the last reading. */
  read(): OutputSigns {
    const { text, newFrom, fresh } = this.#text.read();
    const work = findWork(text, newFrom);
    const completion = findCompletion(text, newFrom);
    const isDone = (completion?.end ?? -1) > (work?.end ?? -1);
    return {
      isSubstantial: fresh > SUBSTANTIAL,
      work: isDone ? null : (work?.line ?? null),
      completion: isDone ? (completion?.line ?? null) : null,
      isPrompt: PROMPT.test(text.slice(Math.max(0, newFrom - 2))),
      tokens: readTokens(text, newFrom),
      menu: readPlanMenu(text),
    };
  }
}
