/** Background sessions of the client that have ended, with what their agents said last. */
import type { BackgroundSessions, EndedBackground } from '../../shared/schema/agents/background.ts';
import { TranscriptFiles } from '../agents/records/transcript-files.ts';
import { AppError } from '../lib/app-error.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import type { BackgroundClient } from './background-client.ts';
import type { BackgroundJob } from './background-list.ts';
import { lastWords } from './last-words.ts';
import { liveClients } from './live-clients.ts';

interface EndedBackgroundOptions {
  client: BackgroundClient;
  clock: Clock;
  /** Whether sessions that worked in this directory are left alone. */
  isIgnored: (cwd: string) => boolean;
  /** Of the terminals. */
  environment: NodeJS.ProcessEnv;
}

/** Between two starts of the client for those who ask. */
const KEEP_MS = 10_000;
/** The newest; their transcripts are read. */
const MAX_LISTED = 100;

export class EndedBackgrounds {
  readonly #options: EndedBackgroundOptions;
  readonly #transcripts: TranscriptFiles;
  #jobs: Promise<readonly BackgroundJob[]> | null = null;
  #askedAtMs = -Infinity;

  constructor(options: EndedBackgroundOptions) {
    this.#options = options;
    this.#transcripts = new TranscriptFiles(options.environment);
  }

  /** Often asked, it starts the client once in ten seconds. */
  async list(): Promise<BackgroundSessions> {
    let jobs: readonly BackgroundJob[];
    try {
      jobs = await this.#ask();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { unavailable: error.message, sessions: [] };
    }
    return { unavailable: null, sessions: (await this.#ended(jobs)).map((job) => this.#view(job)) };
  }

  /** Null when it runs, or is unknown. */
  async get(id: string): Promise<BackgroundJob | null> {
    const jobs = await this.#ask().catch(() => []);
    return (await this.#ended(jobs)).find((job) => job.id === id) ?? null;
  }

  async #ask(): Promise<readonly BackgroundJob[]> {
    const { client, clock } = this.#options;
    const nowMs = clock.monotonic();
    if (this.#jobs !== null && nowMs - this.#askedAtMs < KEEP_MS) return this.#jobs;
    this.#askedAtMs = nowMs;
    this.#jobs = client.list();
    return this.#jobs;
  }

  /** One that is continued elsewhere is shown there. */
  async #ended(jobs: readonly BackgroundJob[]): Promise<BackgroundJob[]> {
    const { environment, isIgnored } = this.#options;
    const open = new Set((await liveClients(environment)).map((each) => each.conversation));
    return jobs
      .filter(({ isRunning, conversation }) => !isRunning && !open.has(conversation ?? ''))
      .filter(({ cwd }) => !isIgnored(cwd))
      .sort((one, other) => (other.startedAtMs ?? 0) - (one.startedAtMs ?? 0))
      .slice(0, MAX_LISTED);
  }

  #view({ id, conversation, cwd, name, state, startedAtMs }: BackgroundJob): EndedBackground {
    return {
      id,
      conversation,
      cwd,
      state,
      name,
      started_at: startedAtMs === null ? null : toIso(startedAtMs),
      result: conversation === null ? null : lastWords(this.#transcripts, conversation),
    };
  }
}
