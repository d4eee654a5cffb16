/** A tmux server of the user, with settings of their own and windows of several sizes. */
import { join } from 'node:path';
import { execFile } from '../../server/lib/processes/exec-file.ts';

const TMUX_MS = 10_000;
/** What a person may have set. */
const SETTINGS: readonly (readonly string[])[] = [
  ['set-option', '-g', 'history-limit', '1234'],
  ['set-option', '-g', 'mouse', 'on'],
  ['set-option', '-g', 'status-interval', '0'],
  ['set-option', '-g', 'remain-on-exit', 'off'],
];
/** What `still` compares: options, hooks, keys, clients, sizes of windows and panes. */
const FACTS: readonly (readonly string[])[] = [
  ['show-options', '-g'],
  ['show-options', '-s'],
  ['show-options', '-gw'],
  ['show-hooks', '-g'],
  ['show-environment', '-g'],
  ['list-keys'],
  ['list-clients'],
  ['list-sessions', '-F', '#{session_id} #{session_name} #{session_attached} #{session_windows}'],
  ['list-windows', '-a', '-F', '#{window_id} #{window_width}x#{window_height} #{window_layout}'],
  [
    'list-panes',
    '-aF',
    '#{pane_id} #{pane_pid} #{pane_width}x#{pane_height} #{pane_in_mode} #{pane_pipe} #{pane_title}',
  ],
];

export class UserTmux {
  readonly #socket: string;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #sessions = new Set<string>();

  constructor(directory: string, environment: NodeJS.ProcessEnv) {
    this.#socket = join(directory, 'tmux.sock');
    this.#environment = environment;
  }

  /** Runs the command in a session of its own; returns the pid of its process. */
  async open(
    name: string,
    command: readonly string[],
    { cwd, cols, rows }: { cwd: string; cols: number; rows: number },
  ): Promise<number> {
    const isFirst = this.#sessions.size === 0;
    const size = ['-x', String(cols), '-y', String(rows)];
    const opened = ['new-session', '-d', '-P', '-F', '#{pane_pid}', '-s', name, '-c', cwd, ...size];
    if (isFirst) {
      // Its options exist before the first client does.
      await this.#run(['new-session', '-d', '-s', 'desk', 'exec sleep 100000']);
      for (const words of SETTINGS) await this.#run(words);
    }
    this.#sessions.add(name);
    return Number(await this.#run([...opened, ...command]));
  }

  /** `keys` as tmux names them. */
  async press(name: string, ...keys: string[]): Promise<void> {
    await this.#run(['send-keys', '-t', `=${name}:`, ...keys]);
  }

  async type(name: string, text: string): Promise<void> {
    await this.#run(['send-keys', '-t', `=${name}:`, '-l', text]);
  }

  /** With its colours. */
  async screen(name: string): Promise<string> {
    return this.#run(['capture-pane', '-p', '-e', '-t', `=${name}:`]);
  }

  /** Its pane disappears from the person's view, and its program with it. */
  async close(name: string): Promise<void> {
    await this.#run(['kill-session', '-t', `=${name}`]);
  }

  /** Each fact by the question it answers. */
  async facts(): Promise<Map<string, string>> {
    const facts = new Map<string, string>();
    if (this.#sessions.size === 0) return facts;
    for (const words of FACTS) facts.set(`tmux ${words.join(' ')}`, await this.#run(words));
    return facts;
  }

  async end(): Promise<void> {
    if (this.#sessions.size > 0) await this.#run(['kill-server']).catch(() => undefined);
  }

  async #run(words: readonly string[]): Promise<string> {
    const result = await execFile('tmux', ['-S', this.#socket, '-f', '/dev/null', ...words], {
      env: this.#environment,
      timeoutMs: TMUX_MS,
    });
    if (!result.ok) throw new Error(`tmux ${words.join(' ')}: ${result.stderr}`);
    return result.stdout;
  }
}
