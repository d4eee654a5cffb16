/** Chooses the terminal host: what the settings name, else what this machine has. */
import type { PreflightCheck } from '../../shared/model.ts';
import type { Config } from '../lib/config.ts';
import { openSocketDirectory } from './socket-directory.ts';
import type { TerminalHost } from './terminal.ts';
import { createTmuxHost, tmuxVersion } from './tmux-host.ts';

/** Takes the settings and a terminal's environment; gives the host and what a person should know of it. */
export async function openTerminalHost(
  config: Readonly<Config>,
  environment: NodeJS.ProcessEnv,
): Promise<{ host: TerminalHost; preflight: PreflightCheck }> {
  const version = await tmuxVersion(environment);
  const socketDirectory = openSocketDirectory(config.runtimeRoot, config.home);
  const host = createTmuxHost({ socketDirectory, environment });
  return {
    host,
    preflight:
      version === null
        ? {
            name: 'tmux',
            ok: false,
            detail: 'tmux is not installed: no session can be opened.',
            fix: 'Install tmux (apt install tmux, brew install tmux), then start the daemon again.',
          }
        : { name: 'tmux', ok: true, detail: version, fix: null },
  };
}
