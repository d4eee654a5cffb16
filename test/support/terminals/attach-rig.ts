/** One fake terminal in one session, and people attached to it, each with their own emulator. */
import headless from '@xterm/headless';
import type { DetachReason } from '../../../shared/schema/events/protocol.ts';
import {
  type AttachedViewer,
  type Attachment,
  Attachments,
  type AttachRequest,
} from '../../../server/sessions/showing/attachments.ts';
import { Displays } from '../../../server/sessions/showing/displays.ts';
import type { SizeListener, TerminalSize } from '../../../server/sessions/session-terminals.ts';
import { cellLines } from '../../../server/terminals/cell-lines.ts';
import type { TerminalIdentity } from '../../../server/terminals/terminal.ts';
import { FakeTerminal } from './fake-terminal.ts';
import { ManualClock } from '../house/manual-clock.ts';
import { until } from '../house/until.ts';

type Emulator = InstanceType<typeof headless.Terminal>;

export interface ScreenContent {
  cursor: [number, number];
  alternate: boolean;
  lines: string[];
}

export class TestViewer implements AttachedViewer {
  readonly controlStates: { control: boolean; by: string | null }[] = [];
  readonly #emulator: Emulator;
  attachment!: Attachment;
  size: TerminalSize | null = null;
  ended: DetachReason | null = null;
  stalled = false;
  writes = 0;
  bytesTotal = 0;
  #control = false;
  #queue: (Uint8Array | TerminalSize)[] = [];

  readonly name: string;

  constructor(name: string, before: string) {
    this.name = name;
    this.#emulator = new headless.Terminal({ allowProposedApi: true });
    this.#emulator.write(before);
  }

  get controls(): boolean {
    return this.#control;
  }

  get bufferedBytes(): number {
    return this.#queue.reduce((sum, part) => sum + ('length' in part ? part.length : 0), 0);
  }

  attached({ control, cols, rows }: TerminalSize & { control: boolean }): void {
    this.#control = control;
    this.size = { cols, rows };
    this.#queue.push({ cols, rows });
    this.#take();
  }

  controlled(state: { control: boolean; by: string | null }): void {
    this.#control = state.control;
    this.controlStates.push(state);
  }

  bytes(bytes: Uint8Array): void {
    this.writes += 1;
    this.bytesTotal += bytes.length;
    this.#queue.push(bytes);
    this.#take();
  }

  detached(reason: DetachReason): void {
    this.ended = reason;
  }

  /** Takes everything buffered, as a socket does when its reader is back. */
  drain(): void {
    this.stalled = false;
    this.#take();
    this.attachment.drained();
  }

  async shows(): Promise<ScreenContent> {
    await new Promise<void>((drawn) => this.#emulator.write('', drawn));
    return shownBy(this.#emulator);
  }

  #take(): void {
    if (this.stalled) return;
    for (const part of this.#queue) {
      if ('length' in part) this.#emulator.write(part);
      // At once, though what was written before may not be drawn yet: a redraw follows every resize.
      else this.#emulator.resize(part.cols, part.rows);
    }
    this.#queue = [];
  }
}

export class AttachRig {
  readonly clock = new ManualClock();
  terminal = new FakeTerminal();
  readonly attachments: Attachments;
  readonly #sizeListeners = new Set<SizeListener>();
  #shellPid = 1;
  #opening: Promise<void> | null = null;

  constructor() {
    const { clock } = this;
    const terminals = {
      tap: async (_: string, listener: Parameters<FakeTerminal['tap']>[0]) => {
        await this.#opening;
        return this.terminal.tap(listener);
      },
      identityOf: () =>
        this.#opening === null ? ({ shellPid: this.#shellPid } as TerminalIdentity) : null,
      onResized: (listener: SizeListener) => {
        this.#sizeListeners.add(listener);
        return () => void this.#sizeListeners.delete(listener);
      },
      resize: async (name: string, { cols, rows }: TerminalSize) => {
        await this.terminal.resize(cols, rows);
        for (const listener of this.#sizeListeners) listener(name, { cols, rows });
        return { cols, rows };
      },
    };
    const displays = new Displays({ terminals, clock });
    this.attachments = new Attachments({ displays, terminals, clock });
    this.resizeSoon = (cols, rows) => void terminals.resize('web', { cols, rows });
  }

  readonly resizeSoon: (cols: number, rows: number) => void;

  /** Attaches a person whose emulator was given `before`, and waits for the first snapshot. */
  async attach(
    name: string,
    request: Partial<AttachRequest> = {},
    before = '',
  ): Promise<TestViewer> {
    const viewer = this.ask(name, request, before);
    await until('the first snapshot', () => {
      this.clock.advance(10);
      return viewer.writes > 0;
    });
    return viewer;
  }

  /** The same without waiting. */
  ask(name: string, request: Partial<AttachRequest> = {}, before = ''): TestViewer {
    const viewer = new TestViewer(name, before);
    const { cols, rows } = this.terminal.screen;
    const all = { control: true, take: false, cols, rows, ...request };
    viewer.attachment = this.attachments.attach('web', all, viewer);
    return viewer;
  }

  /** The terminal is being opened, until the result is called. */
  open(): () => void {
    let isOpen = (): void => undefined;
    this.#opening = new Promise((resolve) => {
      isOpen = resolve;
    });
    return () => {
      this.#opening = null;
      isOpen();
    };
  }

  /** Another terminal replaces this one. */
  replace(): void {
    this.terminal = new FakeTerminal();
    this.#shellPid += 1;
  }

  /** Lets everything under way finish. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < 5;) {
      await this.terminal.write('');
      quiet = this.clock.pending === 0 ? quiet + 1 : 0;
      this.clock.advance(100);
    }
  }

  shown(): ScreenContent {
    return shownBy(this.terminal.screen);
  }
}

function shownBy(emulator: Emulator): ScreenContent {
  const { active } = emulator.buffer;
  return {
    cursor: [active.cursorY, active.cursorX],
    alternate: active.type === 'alternate',
    lines: cellLines(active, active.baseY, emulator.rows, emulator.cols),
  };
}
