/** Chooses the terminal host: from the settings, else what this machine has. */
import type { PreflightCheck } from '../../shared/schema/model.ts';
import type { Clock } from '../lib/clock.ts';
import { messageOf } from '../lib/app-error.ts';
import { type Config, ConfigError } from '../lib/config/config.ts';
import { openSocketDirectory } from './socket-directory.ts';
import type { TerminalHost } from './terminal.ts';
import { createTmuxHost } from './tmux-host.ts';
import { tmuxVersion } from './tmux-program.ts';

/** `environment` is that of a terminal. */
export async function openTerminalHost(
  config: Readonly<Config>,
  environment: NodeJS.ProcessEnv,
  clock: Clock,
): Promise<{ host: TerminalHost; preflight: PreflightCheck }> {
  const version = await tmuxVersion(environment);
  const preflight = judgeTerminal(config, version);
  if (kindOf(config, version) === 'pty') {
    // Loaded only here: with tmux, its emulator and native module are not needed.
    const { createPtyHost } = await loadPtyHost();
    return { host: createPtyHost({ environment, clock }), preflight };
  }
  const socketDirectory = openSocketDirectory(config.runtimeRoot, config.home);
  const host = createTmuxHost({ socketDirectory, environment, clock });
  return { host, preflight };
}

interface PtyModule {
  createPtyHost: (options: { environment: NodeJS.ProcessEnv; clock: Clock }) => TerminalHost;
}

/** Throws a ConfigError where its native part, an optional dependency, is not installed. */
export async function loadPtyHost(
  load: () => Promise<PtyModule> = async () => import('./pty-host.ts'),
): Promise<PtyModule> {
  try {
    return await load();
  } catch (error) {
    const why = messageOf(error).split('\n')[0] ?? '';
    throw new ConfigError(
      `terminals inside the daemon need the package @lydell/node-pty, which cannot be loaded (${why}). ${INSTALL_TMUX}`,
    );
  }
}

export async function terminalPreflight(
  config: Readonly<Config>,
  environment: NodeJS.ProcessEnv,
): Promise<PreflightCheck> {
  return judgeTerminal(config, await tmuxVersion(environment));
}

function kindOf({ terminal }: Readonly<Config>, version: string | null): 'tmux' | 'pty' {
  return terminal ?? (version === null ? 'pty' : 'tmux');
}

function judgeTerminal(config: Readonly<Config>, version: string | null): PreflightCheck {
  if (kindOf(config, version) === 'pty') return PTY_PREFLIGHT;
  if (version === null) return missing('tmux is not installed; sessions cannot be opened.');
  const note = version.includes(FRAGILE_TMUX)
    ? '; this version may crash, so each session runs a server of its own'
    : '';
  return { name: 'tmux', ok: true, detail: version + note, fix: null };
}

/** Observed to crash with all its sessions; here that is one. */
const FRAGILE_TMUX = '3.3a';

const INSTALL_TMUX = 'Install tmux (apt install tmux, brew install tmux), then restart the daemon.';

const PTY_PREFLIGHT = missing(
  'Terminals run inside the daemon; sessions and agents end when it stops.',
);

function missing(detail: string): PreflightCheck {
  return { name: 'tmux', ok: false, detail, fix: INSTALL_TMUX };
}
