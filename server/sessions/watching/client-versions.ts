/**
 * Which versions of the agent's client may be typed into: those whose behaviour was measured, and
 * newer ones that a person trusts. Nothing is typed into any other.
 */
import type { Careful } from '../../../shared/schema/agents/agent-state.ts';
import type {
  ClientTestResult,
  ClientVersions as View,
} from '../../../shared/schema/agents/client-versions.ts';
import {
  compareVersions,
  formatVersion,
  NEWEST_TESTED,
  parseVersion,
} from '../../agents/client-version.ts';
import type { MetaStore } from '../../db/meta-store.ts';
import type { EventLog } from '../../events/event-log.ts';
import { type Clock, toIso } from '../../lib/clock.ts';

/** Versions whose test is kept. */
const MOST_TESTS = 20;

type Trusted = ReturnType<MetaStore['trustedClients']>;

interface Change {
  type: 'client.trusted' | 'client.distrusted';
  data: { version: string; author: string };
}

export interface ClientVersionsOptions {
  meta: MetaStore;
  log: EventLog;
  clock: Clock;
  /** `any`: every version is trusted. */
  trust: 'tested' | 'any';
}

export class ClientVersions {
  readonly #options: ClientVersionsOptions;
  readonly #changed: (() => void)[] = [];
  #trusted: Trusted;
  #tests: Record<string, ClientTestResult>;

  constructor(options: ClientVersionsOptions) {
    this.#options = options;
    this.#trusted = options.meta.trustedClients();
    this.#tests = options.meta.clientTests();
  }

  /** Called when a version was trusted, or is trusted no longer. */
  onChange(changed: () => void): void {
    this.#changed.push(changed);
  }

  /** Why nothing may be typed into a client of that version; null when it may. Null: not reported. */
  careful(version: string | null): Careful | null {
    if (version === null || this.#isTrusted(version)) return null;
    return { cause: 'untested_version', version };
  }

  /** Both are stored once; a second call changes nothing. */
  trust(version: string, author: string): void {
    if (this.#rowOf(version) !== undefined) return;
    const row = { version, by: author, at: toIso(this.#options.clock.now()) };
    this.#save([...this.#trusted, row], { type: 'client.trusted', data: { version, author } });
  }

  distrust(version: string, author: string): void {
    if (this.#rowOf(version) === undefined) return;
    const others = this.#trusted.filter((row) => row.version !== version);
    this.#save(others, { type: 'client.distrusted', data: { version, author } });
  }

  /** How its newest test went; null where it was not tested here. */
  testOf(version: string): ClientTestResult | null {
    return this.#tests[version] ?? null;
  }

  addTest(version: string, result: ClientTestResult): void {
    const others = Object.entries(this.#tests).filter(([other]) => other !== version);
    const tests = Object.fromEntries([...others.slice(1 - MOST_TESTS), [version, result]]);
    const failed = result.steps.find(({ ok }) => !ok)?.step ?? null;
    this.#options.log.write((append) => {
      this.#options.meta.saveClientTests(tests);
      append({ type: 'client.tested', data: { version, failed } });
    });
    this.#tests = tests;
  }

  /** `inUse`: the sessions in which each version is at work. */
  view(inUse: ReadonlyMap<string, string[]>): View {
    const trusted = this.#trusted.map(({ version }) => version);
    const named = new Set([...inUse.keys(), ...trusted, ...Object.keys(this.#tests)]);
    const versions = [...named].flatMap((version) => {
      const parsed = parseVersion(version);
      return parsed === null ? [] : [{ version, parsed }];
    });
    versions.sort((one, other) => compareVersions(other.parsed, one.parsed));
    return {
      newest_tested: formatVersion(NEWEST_TESTED),
      trust: this.#options.trust,
      versions: versions.map(({ version }) => ({
        version,
        tested: isTested(version),
        trusted: this.#isTrusted(version),
        trusted_by: this.#rowOf(version)?.by ?? null,
        trusted_at: this.#rowOf(version)?.at ?? null,
        test: this.testOf(version),
        sessions: inUse.get(version) ?? [],
      })),
    };
  }

  #isTrusted(version: string): boolean {
    return this.#options.trust === 'any' || isTested(version) || this.#rowOf(version) !== undefined;
  }

  #rowOf(version: string) {
    return this.#trusted.find((row) => row.version === version);
  }

  #save(rows: Trusted, event: Change): void {
    const { log, meta } = this.#options;
    log.write((append) => {
      meta.saveTrustedClients(rows);
      append(event);
    });
    this.#trusted = rows;
    for (const changed of this.#changed) changed();
  }
}

/** What is no version of the client cannot be newer than the newest tested one. */
function isTested(version: string): boolean {
  const parsed = parseVersion(version);
  return parsed === null || compareVersions(parsed, NEWEST_TESTED) <= 0;
}
