/** Commands sent to a control client, matched with its replies, which come in order. */
import { AppError } from '../lib/app-error.ts';
import type { Clock, Timer } from '../lib/clock.ts';
import { randomId } from '../lib/random-id.ts';
import type { ControlReply } from './control-lines.ts';
import { type TmuxCommand, toLine } from './tmux-commands.ts';

/** How long the client may be silent while it owes an answer: as for a call of the client program. */
const SILENCE_MS = 5_000;

interface Question {
  texts: string[];
  failed: boolean;
  /** Called at the answer's position in the stream, before anything after it. */
  atAnswer: (text: string) => void;
  answer(text: string): void;
  fail(error: AppError): void;
}

export class ControlQuestions {
  readonly #clock: Clock;
  readonly #write: (text: string) => void;
  readonly #overdue: () => void;
  #silence: Timer | null = null;
  readonly #waiting: Question[] = [];
  /** Follows every question, so that its end is recognized no matter what a program draws. */
  readonly #mark = `end-${randomId()}`;
  readonly #flushMark = `flushed-${randomId()}`;
  #isFlushing = false;
  /** Until tmux has attached the client: it may run what it reads before that, and answer it first. */
  #held: string[] | null = [];

  /** `overdue` is called when the client owes an answer and is silent for too long. */
  constructor(options: { clock: Clock; write: (text: string) => void; overdue: () => void }) {
    this.#clock = options.clock;
    this.#write = options.write;
    this.#overdue = options.overdue;
  }

  /** A question is unanswered. */
  get open(): boolean {
    return this.#waiting.length > 0;
  }

  /** As `open`, or a flush is unanswered: that too can get stuck. */
  get owed(): boolean {
    return this.open || this.#isFlushing;
  }

  /** Answers, each with a line end. Throws `terminal_failed`. */
  async ask(commands: readonly TmuxCommand[], atAnswer: (text: string) => void): Promise<string> {
    return new Promise((answer, fail) => {
      this.#waiting.push({ texts: [], failed: false, atAnswer, answer, fail });
      if (this.#silence === null) this.noteActivity();
      const text = `${toLine(commands)}\ndisplay-message -p ${this.#mark}\n`;
      if (this.#held === null) this.#write(text);
      else this.#held.push(text);
    });
  }

  /** Makes the client print a line that no question waits for. */
  flush(): void {
    if (this.#held !== null) return;
    this.#isFlushing = true;
    this.#write(`display-message -p ${this.#flushMark}\n`);
  }

  /**
   * Call after any output of the client was handled. Listeners may be slow: an answer behind many
   * bytes is on its way as long as bytes arrive.
   */
  noteActivity(): void {
    this.#silence?.cancel();
    this.#silence = this.open ? this.#clock.after(SILENCE_MS, this.#overdue) : null;
  }

  handleReply({ ok, asked, text }: ControlReply): void {
    if (!asked) {
      if (ok) this.#attached();
      return;
    }
    if (text === this.#flushMark) {
      this.#isFlushing = false;
      return;
    }
    const [question] = this.#waiting;
    if (question === undefined) return;
    if (text !== this.#mark) {
      question.failed ||= !ok;
      question.texts.push(`${text}\n`);
      return;
    }
    this.#waiting.shift();
    const all = question.texts.join('');
    if (question.failed) {
      question.fail(failed(`tmux failed: ${all.slice(0, 200)}`));
      return;
    }
    question.atAnswer(all);
    question.answer(all);
  }

  /** No more replies: fails every open question. */
  end(): void {
    this.#silence?.cancel();
    for (const question of this.#waiting.splice(0)) question.fail(failed('tmux exited'));
  }

  #attached(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const text of held) this.#write(text);
  }
}

function failed(message: string): AppError {
  return new AppError('terminal_failed', message);
}
