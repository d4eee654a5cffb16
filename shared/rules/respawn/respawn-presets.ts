/**
 * What a run may begin with, on top of the defaults. The more an agent delegates, the longer it is
 * silent while it works. Free of zod, for the page.
 */
import type { RespawnPresetId } from './respawn-names.ts';
import type { RespawnConfigChange } from '../../schema/loops/respawn.ts';

export interface RespawnPreset {
  id: RespawnPresetId;
  label: string;
  meaning: string;
  change: RespawnConfigChange;
  /** How long a run lasts, in minutes. */
  minutes: number;
}

const CONTINUE = 'Read the notes of this project and continue with the next open item.';

export const RESPAWN_PRESETS: readonly RespawnPreset[] = [
  {
    id: 'solo-work',
    label: 'Solo work',
    meaning: 'One agent that works alone: short silences, a fresh context for each cycle.',
    change: { idle_timeout_ms: 5_000, no_output_timeout_ms: 20_000, kickstart_prompt: CONTINUE },
    minutes: 60,
  },
  {
    id: 'subagent-workflow',
    label: 'Subagents',
    meaning: 'An agent that waits for its subagents: longer silences.',
    change: {
      idle_timeout_ms: 45_000,
      completion_confirm_ms: 20_000,
      no_output_timeout_ms: 120_000,
      inter_step_delay_ms: 3_000,
      kickstart_prompt: CONTINUE,
    },
    minutes: 240,
  },
  {
    id: 'team-lead',
    label: 'Team lead',
    meaning: 'An agent that leads others: its context is kept, and silence proves little.',
    change: {
      idle_timeout_ms: 90_000,
      completion_confirm_ms: 30_000,
      no_output_timeout_ms: 300_000,
      inter_step_delay_ms: 5_000,
      min_idle_confidence: 80,
      send_clear: false,
      send_init: false,
    },
    minutes: 480,
  },
  {
    id: 'overnight',
    label: 'Overnight',
    meaning: 'Unattended until the morning: careful, and it stops early without progress.',
    change: {
      completion_confirm_ms: 15_000,
      no_output_timeout_ms: 60_000,
      inter_step_delay_ms: 5_000,
      min_idle_confidence: 75,
      breaker_after_cycles: 2,
      breaker_cooldown_ms: 3_600_000,
      kickstart_prompt: CONTINUE,
    },
    minutes: 600,
  },
];
