/** All task modules: read each time the connection comes up, updated by their events. */
import { Attempt } from '$lib/state/attempt.svelte.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import type { Module, Modules } from '$shared/schema/modules/modules.ts';
import { applyModuleEvent, isModuleEvent, type ModuleEvent } from './apply-module-event.ts';

/** Until the daemon has looked through all roots for the first time. */
const READ_AGAIN_MS = 2_000;

export class ModuleList {
  modules = $state.raw<readonly Module[] | null>(null);
  scannedAt = $state.raw<Modules['scanned_at']>(null);
  isCut = $state(false);
  readonly reading = new Attempt();

  readonly #feed: Feed;
  /** Events since the read that is under way began: its answer may be older. */
  #since: ModuleEvent[] = [];

  constructor(feed: Feed) {
    this.#feed = feed;
  }

  /** Reads and then follows events; call the result to stop. */
  follow(): () => void {
    const ignore = this.#feed.listen((event) => {
      if (!isModuleEvent(event)) return;
      this.#since.push(event);
      if (this.modules !== null) this.modules = applyModuleEvent(this.modules, event);
    });
    void this.read();
    const timer = setInterval(() => {
      if (this.scannedAt === null) void this.read();
    }, READ_AGAIN_MS);
    return () => {
      ignore();
      clearInterval(timer);
    };
  }

  async read(): Promise<void> {
    this.#since = [];
    await this.reading.run(async () => {
      const { modules, scanned_at, cut } = await this.#feed.rest.call('listModules');
      this.modules = this.#since.reduce<readonly Module[]>(applyModuleEvent, modules);
      this.scannedAt = scanned_at;
      this.isCut = cut;
    });
    this.#since = [];
  }
}
