/** Chooses the terminal host: from the settings, else what this machine has. */
import type { PreflightCheck } from '../../shared/schema/model.ts';
import type { Clock } from '../lib/clock.ts';
import type { Config } from '../lib/config.ts';
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
    const { createPtyHost } = await import('./pty-host.ts');
    return { host: createPtyHost({ environment, clock }), preflight };
  }
  const socketDirectory = openSocketDirectory(config.runtimeRoot, config.home);
  const host = createTmuxHost({ socketDirectory, environment, clock });
  return { host, preflight };
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

const PTY_PREFLIGHT = missing(
  'Terminals run inside the daemon; sessions and agents end when it stops.',
);

function missing(detail: string): PreflightCheck {
  const fix = 'Install tmux (apt install tmux, brew install tmux), then restart the daemon.';
  return { name: 'tmux', ok: false, detail, fix };
}
