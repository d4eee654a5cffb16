/** What the log says about modules: each appears, changes and goes, also across daemons. */
import { ModuleFacts } from '../../../shared/schema/modules/module-facts.ts';
import type { EventDraft } from '../../../shared/schema/events/events.ts';
import type { EventLog } from '../../events/event-log.ts';

export class PublishedModules {
  readonly #log: Pick<EventLog, 'write' | 'newestOfKind'>;
  readonly #facts = new Map<string, ModuleFacts>();

  constructor(log: Pick<EventLog, 'write' | 'newestOfKind'>) {
    this.#log = log;
  }

  /** Those that were there when the last daemon ended. Returns their paths. */
  recover(): string[] {
    for (const { type, data } of this.#log.newestOfKind('module')) {
      const { success, data: facts } = ModuleFacts.safeParse(JSON.parse(data));
      if (success && type !== 'module.removed') this.#facts.set(facts.path, facts);
    }
    return [...this.#facts.keys()];
  }

  get paths(): string[] {
    return [...this.#facts.keys()];
  }

  /** Whether the facts differ from the published ones: in what they say, or only in the files. */
  newsIn(facts: ModuleFacts): 'state' | 'files' | null {
    const before = this.#facts.get(facts.path);
    if (before === undefined) return 'state';
    const { revision } = facts;
    if (JSON.stringify({ ...before, revision }) !== JSON.stringify(facts)) return 'state';
    return before.revision === revision ? null : 'files';
  }

  /** All of it in one transaction; `author`: who caused it here. Throws storage errors with nothing changed. */
  write(changed: readonly ModuleFacts[], removed: readonly string[], author?: string): void {
    const drafts: EventDraft[] = [
      ...changed.map((data): EventDraft => {
        const type = this.#facts.has(data.path) ? 'module.changed' : 'module.appeared';
        return { type, data: author === undefined ? data : { ...data, author } };
      }),
      ...removed.flatMap((path): EventDraft[] => {
        const data = this.#facts.get(path);
        return data === undefined ? [] : [{ type: 'module.removed', data }];
      }),
    ];
    if (drafts.length === 0) return;
    this.#log.write((append) => {
      for (const draft of drafts) append(draft);
    });
    for (const facts of changed) this.#facts.set(facts.path, facts);
    for (const path of removed) this.#facts.delete(path);
  }
}
