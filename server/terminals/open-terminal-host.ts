/** Chooses the terminal host: what the settings name, else what this machine has. */
import type { PreflightCheck } from '../../shared/model.ts';
import type { Clock } from '../lib/clock.ts';
import type { Config } from '../lib/config.ts';
import { openSocketDirectory } from './socket-directory.ts';
import { createPtyHost } from './pty-host.ts';
import type { TerminalHost } from './terminal.ts';
import { createTmuxHost } from './tmux-host.ts';
import { tmuxVersion } from './tmux-program.ts';

/** Takes the settings, a terminal's environment and the clock; gives the host and what a person should know of it. */
export async function openTerminalHost(
  config: Readonly<Config>,
  environment: NodeJS.ProcessEnv,
  clock: Clock,
): Promise<{ host: TerminalHost; preflight: PreflightCheck }> {
  const version = await tmuxVersion(environment);
  const wanted = config.terminal ?? (version === null ? 'pty' : 'tmux');
  if (wanted === 'pty')
    return { host: createPtyHost({ environment, clock }), preflight: PTY_PREFLIGHT };
  const socketDirectory = openSocketDirectory(config.runtimeRoot, config.home);
  const host = createTmuxHost({ socketDirectory, environment, clock });
  const preflight =
    version === null
      ? missing('tmux is not installed: no session can be opened.')
      : { name: 'tmux' as const, ok: true, detail: version, fix: null };
  return { host, preflight };
}

const PTY_PREFLIGHT = missing(
  'Terminals run inside the daemon: sessions and agents end when it does.',
);

function missing(detail: string): PreflightCheck {
  const fix = 'Install tmux (apt install tmux, brew install tmux), then start the daemon again.';
  return { name: 'tmux', ok: false, detail, fix };
}
