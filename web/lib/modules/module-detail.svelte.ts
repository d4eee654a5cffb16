/** One task module with its files, kept current by its events. */
import { Attempt } from '$lib/state/attempt.svelte.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import { throttleReads } from '$lib/state/throttle.ts';
import type { ModuleDetail as Detail, ModuleTarget } from '$shared/schema/modules/modules.ts';
import { isModuleEvent } from './apply-module-event.ts';

const READ_EVERY_MS = 300;

export class ModuleDetail {
  module = $state.raw<Detail | null>(null);
  /** It does not exist or no longer exists. */
  isMissing = $state(false);
  readonly reading = new Attempt();

  readonly #feed: Feed;
  readonly #id: string;
  readonly #readSoon: (id: string) => void;

  constructor(feed: Feed, id: string) {
    this.#feed = feed;
    this.#id = id;
    this.#readSoon = throttleReads(
      READ_EVERY_MS,
      async () => this.#feed.rest.call('getModule', { item: id }),
      (_, module) => this.#show(module),
    );
  }

  /** Reads and then follows events; call the result to stop. */
  follow(): () => void {
    const ignore = this.#feed.listen((event) => {
      if (!isModuleEvent(event) || event.data.module !== this.#id) return;
      if (event.type === 'module.removed') this.isMissing = true;
      else this.#readSoon(this.#id);
    });
    void this.read();
    return ignore;
  }

  async read(): Promise<void> {
    await this.reading.run(async () => {
      this.#show(await this.#feed.rest.call('getModule', { item: this.#id }));
    });
    if (this.reading.error?.code === 'module_unknown') this.isMissing = true;
  }

  showTarget(target: ModuleTarget): void {
    if (this.module !== null) this.module = { ...this.module, target };
  }

  #show(module: Detail): void {
    this.module = module;
    this.isMissing = false;
  }
}
