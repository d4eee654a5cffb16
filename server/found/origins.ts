/** Where the process of each record comes from: read once for each process. */
import { isSameProcess, type ProcessIdentity } from '../lib/processes/process-identity.ts';
import { type Origin, readOrigin } from './origin.ts';

type Readers = Parameters<typeof readOrigin>[1];

export class Origins {
  readonly #readers: Readers;
  /** By path of the record. */
  #known = new Map<string, { identity: ProcessIdentity; origin: Origin }>();

  constructor(readers: Readers) {
    this.#readers = readers;
  }

  /** Null when it cannot be read in time; it is read again when asked again. */
  async of(path: string, identity: ProcessIdentity): Promise<Origin | null> {
    const known = this.#known.get(path);
    if (known !== undefined && isSameProcess(known.identity, identity)) return known.origin;
    const origin = await readOrigin(identity.pid, this.#readers);
    if (origin !== null) this.#known.set(path, { identity, origin });
    return origin;
  }

  /** Forgets those of other records. */
  keep(paths: ReadonlySet<string>): void {
    this.#known = new Map([...this.#known].filter(([path]) => paths.has(path)));
  }
}
