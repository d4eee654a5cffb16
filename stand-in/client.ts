/** The prompt box of one running client: keys and texts come in, one text runs at a time, others wait. */
import { Agent } from './agent.ts';
import type { AgentContext } from './agent-context.ts';
import { DialogHost } from './screen/dialog.ts';
import { editDraft } from './screen/edit-draft.ts';
import type { Key } from './screen/keys.ts';
import type { BoxView } from './screen/prompt-box.ts';
import type { Screen } from './screen/screen.ts';
import { Spinner } from './screen/spinner.ts';

const EXIT_HINT = 'Press Ctrl-C again to exit';
const EXIT_HINT_MS = 3000;

interface ClientSurroundings extends Omit<AgentContext, 'screen' | 'spinner' | 'dialogs'> {
  openScreen: (view: () => BoxView) => Screen;
  mode: string;
  /** With a person at a keyboard the client stays after a text; otherwise it leaves. */
  interactive: boolean;
}

export class Client {
  readonly screen: Screen;
  readonly #around: ClientSurroundings;
  readonly #agent: Agent;
  readonly #dialogs: DialogHost;
  readonly #queue: string[] = [];
  #running = false;
  #draft = '';
  #hint: string | null = null;
  #hintTimer: NodeJS.Timeout | undefined;

  constructor(around: ClientSurroundings) {
    this.#around = around;
    const spinner = new Spinner(() => this.screen.refresh());
    this.#dialogs = new DialogHost(() => this.screen.refresh());
    this.screen = around.openScreen(() => ({
      draft: this.#draft,
      queue: this.#queue,
      work: spinner.view,
      mode: around.mode,
      hint: this.#hint ?? spinner.word,
      dialog: this.#dialogs.view,
    }));
    this.#agent = new Agent({ ...around, screen: this.screen, spinner, dialogs: this.#dialogs });
  }

  press(key: Key): void {
    if (this.#dialogs.press(key)) {
      this.#around.inputLog.note({ event: 'key', key: key.kind === 'text' ? key.text : key.kind });
      return;
    }
    if (key.kind === 'escape') {
      this.#agent.interrupt();
    } else if (key.kind === 'interrupt') {
      this.pressInterrupt();
    } else if (key.kind === 'enter') {
      const text = this.#draft.trim();
      this.#draft = '';
      this.submit(text);
    } else {
      this.#draft = editDraft(this.#draft, key);
    }
    this.screen.refresh();
  }

  /** Ctrl-C: ends the turn, else clears the draft, else leaves when pressed twice. */
  pressInterrupt(): void {
    if (this.#around.responsiveness.deaf || this.#agent.interrupt()) return;
    if (this.#draft !== '') {
      this.#draft = '';
    } else if (this.#hint !== null) {
      this.#around.leave({ code: 0 });
    } else {
      this.#showExitHint();
    }
    this.screen.refresh();
  }

  /** Runs a text, or queues it behind the running one. */
  submit(text: string): void {
    if (text === '') return;
    const during = this.#running ? 'turn' : 'box';
    this.#around.inputLog.note({ event: 'text', text, during });
    if (this.#agent.hear(text)) return;
    if (this.#running) this.#queue.push(text);
    else void this.#runAll(text);
  }

  async #runAll(first: string): Promise<void> {
    this.#running = true;
    for (let text: string | undefined = first; text !== undefined; text = this.#queue.shift()) {
      const outcome = await this.#agent.run(text);
      if (outcome.after === 'exit' || !this.#around.interactive) {
        this.#around.leave({ code: outcome.code });
      }
    }
    this.#running = false;
  }

  #showExitHint(): void {
    this.#hint = EXIT_HINT;
    clearTimeout(this.#hintTimer);
    this.#hintTimer = setTimeout(() => {
      this.#hint = null;
      this.screen.refresh();
    }, EXIT_HINT_MS);
  }
}
