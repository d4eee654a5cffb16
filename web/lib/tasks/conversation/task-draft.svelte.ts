/** The draft of a message to a task. It stays until the daemon has stored it. */
import { Attempt } from '$lib/state/attempt.svelte.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import type { SentTaskInput } from '$shared/schema/tasks/task-input.ts';
import { type AttachedImage, imageProblem, readBase64 } from './input-images.ts';

/** Images may be large and the network slow. */
const SEND_TIMEOUT_MS = 120_000;

export class TaskDraft {
  text = $state('');
  interrupt = $state(false);
  images = $state.raw<readonly AttachedImage[]>([]);
  /** Why an image was not attached. */
  problem = $state<string | null>(null);
  sent = $state.raw<SentTaskInput | null>(null);
  readonly sending = new Attempt();

  readonly #feed: Feed;
  readonly #name: string;
  #nextId = 1;

  constructor(feed: Feed, name: string) {
    this.#feed = feed;
    this.#name = name;
  }

  /** Attaches the files that fit. */
  async attach(files: readonly File[]): Promise<void> {
    this.problem = null;
    for (const file of files) {
      const problem = imageProblem(file, this.images.length);
      if (problem !== null) {
        this.problem = problem;
        continue;
      }
      const base64 = await readBase64(file);
      const { name, size: bytes, type } = file;
      const media_type = type as AttachedImage['media_type'];
      this.images = [...this.images, { id: this.#nextId++, name, bytes, base64, media_type }];
    }
  }

  detach(id: number): void {
    this.images = this.images.filter((image) => image.id !== id);
  }

  /** Returns whether the daemon has stored it. If not, the draft is kept. */
  async send(): Promise<boolean> {
    const { text: input, interrupt } = this;
    if (input.trim() === '') return false;
    const images = this.images.map(({ base64, media_type }) => ({ base64, media_type }));
    this.sent = null;
    return this.sending.run(async () => {
      this.sent = await this.#feed.rest.call('sendTaskInput', {
        task: this.#name,
        body: { input, interrupt, resume: true, ...(images.length === 0 ? {} : { images }) },
        timeoutMs: SEND_TIMEOUT_MS,
      });
      if (this.text === input) this.text = '';
      this.images = [];
      this.interrupt = false;
      this.problem = null;
    });
  }
}
