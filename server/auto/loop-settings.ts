/** How fast the loops of each kind of agent are polled, recovered and ended. Defined only here. */
import { KNOWN_LOOPS } from '../../shared/rules/loops/known-loops.ts';
import type { SignalProfile } from '../../shared/rules/loops/loop-steps.ts';
import type { AgentKind } from '../../shared/schema/agents/agent-kind.ts';
import type { LoopPermissions } from '../../shared/schema/loops/loop-permissions.ts';
import type { RecoveryMode } from '../../shared/schema/loops/recovery-mode.ts';
import type { Config } from '../lib/config/config.ts';
import type { LoopPolicy } from './machine/loop-state.ts';

export interface LoopSettings {
  /** Of loops that name none. */
  usualPermissions: LoopPermissions;
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

type Settings = Omit<LoopPolicy, 'stopCheck' | 'noProgressSignals'> &
  Pick<
    Config,
    | 'loop'
    | 'loopPermissions'
    | 'loopStopCheck'
    | 'loopNoProgressSignals'
    | 'recovery'
    | 'signalPollMs'
    | 'startTimeoutMs'
  >;

/**
 * `pace` is that of the demo: 1 for what a person can follow. Loops of real agents use only the
 * settings; the stand-in plays in two minutes what takes a night, with its own timings.
 */
export function loopSettings(
  settings: Settings,
  demoPace: number,
): Readonly<Record<AgentKind, LoopSettings>> {
  return {
    claude: configuredSettings(settings, {
      ...settings,
      stopCheck: settings.loopStopCheck,
      noProgressSignals: settings.loopNoProgressSignals,
    }),
    'stand-in': demoSettings(settings, demoPace),
  };
}

function configuredSettings(settings: Settings, policy: LoopPolicy): LoopSettings {
  const { loopPermissions: usualPermissions, recovery, signalPollMs, startTimeoutMs } = settings;
  const signalProfile = KNOWN_LOOPS[settings.loop].profile;
  const { heartbeatMs } = policy;
  const checksAll = settings.loop === 'loopwatch';
  const paces = { signalPollMs, heartbeatMs, startTimeoutMs };
  return { usualPermissions, recovery, policy, signalProfile, checksAll, ...paces };
}

/**
 * Equal snapshots for six seconds are a stall. Answering the stand-in costs nothing, so recovery is
 * always `safe`; the demo shows a question for permission, so it always asks.
 */
function demoSettings(settings: Settings, pace: number): LoopSettings {
  const ms = (milliseconds: number) => Math.max(1, Math.round(milliseconds * pace));
  const policy: LoopPolicy = {
    heartbeatMs: ms(2_000),
    stallCaptures: 3,
    // The stand-in works on nothing that could be checked.
    stopCheck: 'off',
    noProgressSignals: 0,
    idleConfirmMs: ms(2_000),
    stopGraceMs: ms(20_000),
    killGraceMs: ms(5_000),
    restartDelaysMs: [ms(5_000), ms(10_000), ms(10_000)],
    quotaDelaysMs: [ms(5_000), ms(5_000), ms(10_000)],
    errorDelaysMs: [ms(3_000)],
  };
  const signalPollMs = Math.min(settings.signalPollMs, ms(1_000));
  const own = { ...settings, recovery: 'safe', loopPermissions: 'ask' } as const;
  return { ...configuredSettings(own, policy), signalPollMs };
}
