/** The input of the start dialog, and the request built from it. */
import { asRequestError } from '$lib/client/request-error.ts';
import type { Rest } from '$lib/client/rest.ts';
import { type FieldErrors, fieldErrors } from '$lib/ui/forms/field-errors.ts';
import { MAX_RUN_MINUTES } from '$shared/rules/respawn/respawn-keys.ts';
import type { RespawnConfig } from '$shared/schema/loops/respawn.ts';
import { changeOf, isCustomized, minutesOf, type PresetId, presetOf } from './preset-choice.ts';
import { startRespawn } from './respawn-calls.ts';

export class StartForm {
  preset = $state<PresetId>('solo-work');
  /** Null: until it is stopped. */
  minutes = $state<number | null>(null);
  errors = $state.raw<FieldErrors<'minutes'>>({});
  isBusy = $state(false);
  /** The configuration is none of the presets, and can be started as it is. */
  readonly isCustomized: boolean;

  readonly #rest: Rest;
  readonly #session: string;

  constructor(rest: Rest, session: string, config: RespawnConfig | null) {
    this.#rest = rest;
    this.#session = session;
    this.isCustomized = config !== null && isCustomized(config);
    const current = config === null ? 'configured' : presetOf(config);
    this.choose(current === 'configured' && !this.isCustomized ? 'solo-work' : current);
  }

  choose(preset: PresetId): void {
    this.preset = preset;
    this.minutes = minutesOf(preset);
  }

  /** Returns whether the run was started; if not, `errors` says why. */
  async submit(): Promise<boolean> {
    if (this.isBusy) return false;
    const { minutes } = this;
    const isWithin = minutes === null || (minutes >= 1 && minutes <= MAX_RUN_MINUTES);
    this.errors =
      isWithin && Number.isInteger(minutes ?? 1)
        ? {}
        : { minutes: `A whole number from 1 to ${MAX_RUN_MINUTES}, or empty.` };
    if (Object.keys(this.errors).length > 0) return false;
    this.isBusy = true;
    try {
      const config = changeOf(this.preset);
      await startRespawn(this.#rest, this.#session, config ? { config, minutes } : { minutes });
      return true;
    } catch (thrown) {
      const error = asRequestError(thrown);
      // The message names the owner.
      this.errors =
        error.code === 'session_busy'
          ? { form: `${error.message} Stop it first, then start respawn.` }
          : fieldErrors(error, ['minutes']);
      return false;
    } finally {
      this.isBusy = false;
    }
  }
}
