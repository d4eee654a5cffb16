/** A terminal that a test writes to and taps, without a program or a clock. */
import headless from '@xterm/headless';
import { cellLines } from '../../../server/terminals/cell-lines.ts';
import type {
  ScreenSnapshot,
  TapListener,
  TerminalTap,
} from '../../../server/terminals/terminal.ts';

export class FakeTerminal {
  readonly screen: InstanceType<typeof headless.Terminal>;
  readonly typed: Buffer[] = [];
  readonly taps = new Set<TapListener>();
  snapshots = 0;
  tapsOpened = 0;
  /** The error every tap fails with; null when taps work. */
  refusal: Error | null = null;
  #turn: Promise<void> = Promise.resolve();

  constructor(size: { cols: number; rows: number } = { cols: 40, rows: 10 }) {
    this.screen = new headless.Terminal({ ...size, allowProposedApi: true });
  }

  /** The program writes: the screen has it before any tap gets it. */
  async write(data: string | Uint8Array): Promise<void> {
    await this.#inTurn(() => this.#draw(data));
  }

  /** The program writes more than a tap can receive. */
  async flood(data: string): Promise<void> {
    await this.#inTurn(async () => {
      await new Promise<void>((drawn) => this.screen.write(data, drawn));
      for (const listener of [...this.taps]) listener.skipped();
    });
  }

  async resize(cols: number, rows: number): Promise<void> {
    await this.#inTurn(async () => {
      this.screen.resize(cols, rows);
      return Promise.resolve();
    });
  }

  /** The terminal ended. */
  end(): void {
    const listeners = [...this.taps];
    this.taps.clear();
    for (const listener of listeners) listener.ended();
  }

  readonly tap = async (listener: TapListener): Promise<TerminalTap> => {
    if (this.refusal !== null) return Promise.reject(this.refusal);
    this.tapsOpened += 1;
    this.taps.add(listener);
    return Promise.resolve({
      snapshot: async () => {
        this.snapshots += 1;
        const shown: ScreenSnapshot[] = [];
        await this.#inTurn(async () => Promise.resolve(shown.push(this.#snapshot())));
        return shown[0] ?? this.#snapshot();
      },
      write: (bytes: Uint8Array) => void this.typed.push(Buffer.from(bytes)),
      close: () => void this.taps.delete(listener),
    });
  };

  /** Everything typed, joined. */
  get text(): string {
    return Buffer.concat(this.typed).toString();
  }

  async #draw(data: string | Uint8Array): Promise<void> {
    await new Promise<void>((drawn) => this.screen.write(data, drawn));
    for (const listener of [...this.taps]) listener.output(Buffer.from(data));
  }

  /** One operation at a time, so that a snapshot has a definite position in the byte stream. */
  async #inTurn(act: () => Promise<unknown>): Promise<void> {
    const done = this.#turn.then(act);
    // A tick after each, so that a caller awaiting a snapshot has it before the next bytes are sent.
    this.#turn = done.then(async () => new Promise((next) => setImmediate(next)));
    await done;
  }

  #snapshot(): ScreenSnapshot {
    const { cols, rows, buffer } = this.screen;
    const { active } = buffer;
    return {
      cols,
      rows,
      cursor: [active.cursorY, active.cursorX],
      cursorVisible: true,
      alternate: active.type === 'alternate',
      lines: cellLines(active, active.baseY, rows, cols),
    };
  }
}
