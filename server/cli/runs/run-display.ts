/** The live display of a run on a terminal: redrawn on its events, each second, and on a new size. */
import { toolCallSubject } from '../../../shared/rules/tool-call.ts';
import type { Run, RunCheck } from '../../../shared/schema/runs/run.ts';
import { systemClock } from '../../lib/clock.ts';
import { LiveBlock, type Screen } from '../print/live-block.ts';
import type { FollowedRun } from './follow-run.ts';
import { progressLines } from './run-progress.ts';

const REDRAW_MS = 1_000;
/** A terminal that reports no size. */
const UNKNOWN = { columns: 80, rows: 24 };

type Check = readonly [name: string, status: RunCheck['status']];

export class RunDisplay {
  readonly #terminal: NodeJS.WriteStream;
  readonly #block: LiveBlock;
  readonly #readChecks: (run: Run) => Promise<readonly Check[]>;
  readonly #timer: NodeJS.Timeout;
  readonly #redraw = () => this.#draw();
  #run: Run | null = null;
  #readAtMs = 0;
  #tool: string | null = null;
  #away: string | null = null;
  #checks: Map<string, RunCheck['status']> | null = null;

  /** `readChecks` gives those that were there before the first event. */
  constructor(terminal: NodeJS.WriteStream, readChecks: (run: Run) => Promise<readonly Check[]>) {
    this.#terminal = terminal;
    this.#readChecks = readChecks;
    this.#block = new LiveBlock(screenOf(terminal));
    this.#timer = setInterval(this.#redraw, REDRAW_MS);
    terminal.on('resize', this.#redraw);
  }

  page({ events, run }: FollowedRun): void {
    for (const { event } of events) {
      const { type, data } = event;
      if (type === 'run.phase') this.#tool = null;
      if (type === 'run.check') this.#checks?.set(data.name, data.status);
      if (type === 'run.interaction' && data.tool !== null) {
        this.#tool = data.type === 'tool_result' ? null : toolText(data.tool, data.preview);
      }
    }
    if (run === null) return;
    this.#run = run;
    this.#readAtMs = systemClock.now();
    if (this.#checks === null) this.#begin(run);
    this.#draw();
  }

  notice(text: string): void {
    this.#away = text === 'reconnected' ? null : text;
    this.#draw();
  }

  end(): void {
    clearInterval(this.#timer);
    this.#terminal.off('resize', this.#redraw);
    this.#draw();
    this.#block.end();
  }

  #begin(run: Run): void {
    const checks = new Map<string, RunCheck['status']>();
    this.#checks = checks;
    void this.#readChecks(run).then((read) => {
      for (const [name, status] of read) if (!checks.has(name)) checks.set(name, status);
      this.#draw();
    });
  }

  #draw(): void {
    if (this.#run === null) return;
    const { columns } = screenOf(this.#terminal);
    const progress = {
      run: this.#run,
      readAtMs: this.#readAtMs,
      tool: this.#tool,
      checks: this.#checks ?? new Map<string, RunCheck['status']>(),
      away: this.#away,
    };
    // Not with NO_COLOR or on a dumb terminal.
    const hasColour = this.#terminal.hasColors();
    const nowMs = systemClock.now();
    this.#block.draw(progressLines(progress, { columns, nowMs, hasColour }));
  }
}

function toolText(tool: string, preview: string): string {
  const subject = toolCallSubject(preview);
  return subject === '' ? tool : `${tool}: ${subject}`;
}

function screenOf(terminal: NodeJS.WriteStream): Screen {
  return {
    get columns() {
      return terminal.columns || UNKNOWN.columns;
    },
    get rows() {
      return terminal.rows || UNKNOWN.rows;
    },
    write: (text) => void terminal.write(text),
  };
}
