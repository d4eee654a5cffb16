/** The input of the configuration dialog, and the request built from it. */
import { asRequestError } from '$lib/client/request-error.ts';
import type { Rest } from '$lib/client/rest.ts';
import { fieldErrors } from '$lib/ui/forms/field-errors.ts';
import type { RespawnConfig } from '$shared/schema/loops/respawn.ts';
import {
  type ConfigErrors,
  configErrors,
  changedIn,
  configOf,
  type Entered,
  enteredOf,
} from './config-entry.ts';
import { FIELDS } from './config-fields.ts';
import { saveRespawnConfig } from './respawn-calls.ts';

export class ConfigForm {
  entered = $state<Entered>({} as Entered);
  errors = $state.raw<ConfigErrors>({});
  isBusy = $state(false);

  readonly #rest: Rest;
  readonly #session: string;
  readonly #before: RespawnConfig;

  constructor(rest: Rest, session: string, config: RespawnConfig) {
    this.#rest = rest;
    this.#session = session;
    this.#before = config;
    this.entered = enteredOf(config);
  }

  /** Returns whether it was saved; if not, `errors` says why. */
  async submit(): Promise<boolean> {
    if (this.isBusy) return false;
    this.errors = configErrors(this.entered);
    if (Object.keys(this.errors).length > 0) return false;
    this.isBusy = true;
    try {
      const change = changedIn(this.#before, configOf(this.entered));
      await saveRespawnConfig(this.#rest, this.#session, change);
      return true;
    } catch (thrown) {
      this.errors = fieldErrors(
        asRequestError(thrown),
        FIELDS.map(({ key }) => key),
      );
      return false;
    } finally {
      this.isBusy = false;
    }
  }
}
