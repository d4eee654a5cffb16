/** How fast the loops of each kind of agent are polled, recovered and ended. Defined only here. */
import { KNOWN_LOOPS } from '../../shared/rules/known-loops.ts';
import type { SignalProfile } from '../../shared/rules/loop-steps.ts';
import type { AgentKind } from '../../shared/schema/agent-kind.ts';
import type { RecoveryMode } from '../../shared/schema/loops/recovery-mode.ts';
import type { Config } from '../lib/config.ts';
import type { LoopPolicy } from './machine/loop-state.ts';

export interface LoopSettings {
  recovery: RecoveryMode;
  policy: LoopPolicy;
  signalPollMs: number;
  heartbeatMs: number;
  startTimeoutMs: number;
  /** What the agent's signals may say. */
  signalProfile: SignalProfile;
  /** The end is checked of every loop, not only of those whose directory names checks. */
  checksAll: boolean;
}

type Settings = Omit<LoopPolicy, 'stopCheck'> &
  Pick<Config, 'loop' | 'loopStopCheck' | 'recovery' | 'signalPollMs' | 'startTimeoutMs'>;

/**
 * `pace` is that of the demo: 1 for what a person can follow. Loops of real agents use only the
 * settings; the stand-in plays in two minutes what takes a night, with its own timings.
 */
export function loopSettings(
  settings: Settings,
  demoPace: number,
): Readonly<Record<AgentKind, LoopSettings>> {
  return {
    claude: configuredSettings(settings, { ...settings, stopCheck: settings.loopStopCheck }),
    'stand-in': demoSettings(settings, demoPace),
  };
}

function configuredSettings(settings: Settings, policy: LoopPolicy): LoopSettings {
  const { loop, recovery, signalPollMs, startTimeoutMs } = settings;
  const signalProfile = KNOWN_LOOPS[loop].profile;
  const { heartbeatMs } = policy;
  const checksAll = loop === 'loopwatch';
  const timings = { signalPollMs, heartbeatMs, startTimeoutMs };
  return { recovery, policy, ...timings, signalProfile, checksAll };
}

/**
 * Equal snapshots for six seconds are a stall. Answering the stand-in costs nothing, so recovery is
 * always `safe`.
 */
function demoSettings(settings: Settings, pace: number): LoopSettings {
  const ms = (milliseconds: number) => Math.max(1, Math.round(milliseconds * pace));
  const policy: LoopPolicy = {
    heartbeatMs: ms(2_000),
    stallCaptures: 3,
    // The stand-in works on nothing that could be checked.
    stopCheck: 'off',
    idleConfirmMs: ms(2_000),
    stopGraceMs: ms(20_000),
    killGraceMs: ms(5_000),
    restartDelaysMs: [ms(5_000), ms(10_000), ms(10_000)],
    quotaDelaysMs: [ms(5_000), ms(5_000), ms(10_000)],
    errorDelaysMs: [ms(3_000)],
  };
  const signalPollMs = Math.min(settings.signalPollMs, ms(1_000));
  return { ...configuredSettings({ ...settings, recovery: 'safe' }, policy), signalPollMs };
}
