import { join } from 'node:path';
import { execFile } from '../../../server/lib/processes/exec-file.ts';
import { readProcess } from '../../../server/lib/processes/process-identity.ts';
import { until } from '../house/until.ts';
import type { World } from '../daemon/world.ts';

/** A tmux server of the user; disposing ends it. */
export class UserTmux {
  readonly #environment: NodeJS.ProcessEnv;
  readonly socket: string;

  constructor(world: World) {
    this.socket = join(world.root, 'user.tmux');
    this.#environment = { ...world.environment, TMUX: undefined };
  }

  async run(...words: string[]): Promise<string> {
    const given = { env: this.#environment, timeoutMs: 60_000 };
    const result = await execFile('tmux', ['-f', '/dev/null', '-S', this.socket, ...words], given);
    return result.stdout.trim();
  }

  /**
   * The process of its pane, once it is that program: before, it is a copy of the server, without
   * the pane in its environment and without its terminal.
   */
  async paneOf(program: string): Promise<number> {
    const pid = Number(await this.run('display-message', '-p', '#{pane_pid}'));
    await until(`its pane runs ${program}`, () => readProcess(pid)?.name === program);
    return pid;
  }

  /** All that a client could have changed. */
  async facts(): Promise<string[]> {
    const window = '#{window_width}x#{window_height} #{window_active_clients} #{pane_in_mode}';
    return Promise.all([
      this.run('show-options', '-g'),
      this.run('show-options', '-s'),
      this.run('show-options', '-A'),
      this.run('show-window-options', '-g'),
      this.run('list-clients'),
      this.run('list-panes', '-a', '-F', `#{pane_id} #{pane_pid} ${window} #{session_attached}`),
      this.run('list-buffers'),
      this.run('show-hooks', '-g'),
    ]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.run('kill-server');
  }
}
