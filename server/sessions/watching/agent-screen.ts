/** The screen of one terminal as a witness: captured when it may have changed, and read. */
import type { AgentState } from '../../../shared/schema/agents/agent-state.ts';
import type { Evidence } from '../../agents/reading/evidence.ts';
import { readScreen } from '../../agents/screen/read-screen.ts';
import type { Clock } from '../../lib/clock.ts';
import { faintLines, plainLines } from '../../terminals/screen-lines.ts';
import type { ScreenSnapshot } from '../../terminals/terminal.ts';
import type { WatchedTerminal } from './agent-watch-options.ts';
import { isSnapshotDue } from './snapshot-due.ts';

export class AgentScreen {
  readonly #terminal: WatchedTerminal;
  readonly #clock: Clock;
  #takenAtMs: number | null = null;
  #snapshot: ScreenSnapshot | null = null;

  constructor(terminal: WatchedTerminal, clock: Clock) {
    this.#terminal = terminal;
    this.#clock = clock;
  }

  /** The last capture, row by row. */
  get text(): string {
    return this.#snapshot?.lines.join('\n') ?? '';
  }

  /** Forces the next read to capture. */
  forget(): void {
    this.#takenAtMs = null;
  }

  /** Null when the last reading still counts. */
  async read(known: {
    program: string;
    state: AgentState['state'];
    hasRecord: boolean;
    isWanted: boolean;
  }): Promise<Evidence['screen']> {
    const { program, isWanted, ...rest } = known;
    const nowMs = this.#clock.now();
    const changedAtMs = this.#terminal.changedAt();
    const isDue = isSnapshotDue({ nowMs, takenAtMs: this.#takenAtMs, changedAtMs, ...rest });
    if (!isWanted && !isDue) return null;
    const snapshot = await this.#terminal.snapshot();
    this.#takenAtMs = nowMs;
    this.#snapshot = snapshot;
    const { cursor, lines } = snapshot;
    const [rows, faint] = [plainLines(lines), faintLines(lines)];
    return { reading: readScreen({ rows, faint, cursor, program }), takenAtMs: nowMs };
  }
}
