/**
 * What a pane of the user's own tmux shows now. One question to its server: no client is attached,
 * no option is set, and no size changes.
 */
import { lstatSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { FoundScreen } from '../../shared/schema/agents/found.ts';
import { AppError } from '../lib/app-error.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import { execFile } from '../lib/processes/exec-file.ts';
import { screenLines } from '../terminals/screen-lines.ts';
import type { Origin } from './origin.ts';

const PANE = /^%\d{1,9}$/;
/** What the pane is, in one line before its rows. */
const FORMAT = '#{pane_tty} #{pane_width} #{pane_height} #{cursor_x} #{cursor_y}';
const LINE = /^\/dev\/(\S+) (\d{1,5}) (\d{1,5}) (\d{1,5}) (\d{1,5})$/;
/** As for the tmux of our own terminals: a busy machine takes seconds to start a program. */
const TIMEOUT_MS = 5_000;

/** `environment`: that of the terminals. */
export interface PaneSurroundings {
  environment: NodeJS.ProcessEnv;
  clock: Clock;
}

/** The pane of one session; many who ask at once share an answer. */
export class PaneScreen {
  readonly #read: () => Promise<FoundScreen>;
  #open: Promise<FoundScreen> | null = null;

  constructor(origin: Pick<Origin, 'tmux' | 'tty'>, surroundings: PaneSurroundings) {
    this.#read = async () => readPane(origin, surroundings);
  }

  /** Throws `screen_unavailable` with the reason. */
  async read(): Promise<FoundScreen> {
    this.#open ??= this.#read().finally(() => (this.#open = null));
    return this.#open;
  }
}

async function readPane(
  { tmux, tty }: Pick<Origin, 'tmux' | 'tty'>,
  { environment, clock }: PaneSurroundings,
): Promise<FoundScreen> {
  if (tmux === null) throw unavailable('it does not run in a tmux');
  const { socket, pane } = tmux;
  if (!PANE.test(pane) || !isOwnSocket(socket))
    throw unavailable('its tmux is not one of this user');
  const ask = ['display-message', '-p', '-t', pane, FORMAT];
  const capture = ['capture-pane', '-p', '-e', '-N', '-t', pane];
  const result = await execFile('tmux', ['-S', socket, ...ask, ';', ...capture], {
    env: environment,
    timeoutMs: TIMEOUT_MS,
  });
  if (!result.ok)
    throw unavailable(result.timedOut ? 'its tmux does not answer' : 'its pane is gone');
  const [first = '', ...rows] = result.stdout.replace(/\n$/, '').split('\n');
  const [, device, width, height, x, y] = LINE.exec(first) ?? [];
  // Another server may have the socket, and its panes the same numbers.
  if (device === undefined || device !== tty) throw unavailable('another program is in its pane');
  return {
    cols: Number(width),
    rows: Number(height),
    cursor: [Number(y), Number(x)],
    lines: screenLines(rows.join('\n')),
    at: toIso(clock.now()),
  };
}

function isOwnSocket(path: string): boolean {
  if (!isAbsolute(path)) return false;
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isSocket() === true && stat.uid === process.getuid?.();
}

function unavailable(why: string): AppError {
  return new AppError('screen_unavailable', `its screen cannot be shown: ${why}`);
}
