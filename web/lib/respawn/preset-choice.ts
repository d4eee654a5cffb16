/** The ways a run can begin: a preset on top of the defaults, or as it is configured. Pure. */
import { RESPAWN_NUMBERS, RESPAWN_SWITCHES } from '$shared/rules/respawn/respawn-keys.ts';
import { RESPAWN_PRESETS, type RespawnPreset } from '$shared/rules/respawn/respawn-presets.ts';
import type { RespawnConfig, RespawnConfigChange } from '$shared/schema/loops/respawn.ts';
import { count } from '$lib/ui/text/amounts.ts';
import { formatAge } from '$lib/ui/text/format-time.ts';

/** `configured`: nothing is changed. */
export type PresetId = RespawnPreset['id'] | 'configured';

const STANDARDS = Object.fromEntries(
  Object.entries({ ...RESPAWN_NUMBERS, ...RESPAWN_SWITCHES }).map(([key, { standard }]) => [
    key,
    standard,
  ]),
) as RespawnConfigChange;

/** What a run sends along; undefined leaves the configuration as it is. The texts of steps stay. */
export function changeOf(id: PresetId): RespawnConfigChange | undefined {
  const preset = RESPAWN_PRESETS.find((one) => one.id === id);
  return preset === undefined ? undefined : { ...STANDARDS, ...preset.change };
}

export function minutesOf(id: PresetId): number | null {
  return RESPAWN_PRESETS.find((preset) => preset.id === id)?.minutes ?? null;
}

/** The preset that the configuration equals. */
export function presetOf(config: RespawnConfig): PresetId {
  const found = RESPAWN_PRESETS.find(({ id }) => {
    const change = Object.entries(changeOf(id) ?? {});
    return change.every(([key, value]) => config[key as keyof RespawnConfig] === value);
  });
  return found?.id ?? 'configured';
}

/** Whether it differs from the defaults in more than its texts. */
export function isCustomized(config: RespawnConfig): boolean {
  const standards = Object.entries(STANDARDS);
  const isStandard = standards.every(
    ([key, value]) => config[key as keyof RespawnConfig] === value,
  );
  return !isStandard && presetOf(config) === 'configured';
}

/** What matters of it, in a few words each. `config` is what it is applied to. */
export function presetFacts(id: PresetId, config: RespawnConfig | null): string[] {
  const result = { ...STANDARDS, ...config, ...changeOf(id) };
  const { no_output_timeout_ms: silenceMs = 0, breaker_after_cycles: cycles = 0 } = result;
  // A kickstart follows only on init.
  const hasKickstart = result.send_init === true && typeof result.kickstart_prompt === 'string';
  const steps = [
    'update',
    result.send_clear === true ? 'clear' : '',
    result.send_init === true ? 'init' : '',
    hasKickstart ? 'kickstart' : '',
  ];
  return [
    `Idle after ${formatAge(silenceMs)} of silence`,
    `confidence ${result.min_idle_confidence ?? 0}`,
    steps.filter((step) => step !== '').join(', '),
    `pauses after ${count(cycles, 'cycle')} without progress`,
  ];
}
