/** The watch of the daemon: when it counts as gone and as back, and what is delivered of it. */
import { expect, it } from 'vitest';
import { type DaemonNews, watchDaemon } from '../../../server/cli/watch-daemon.ts';
import { turn } from '../../support/browser/ask-in.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';

const GONE_AFTER_MS = 60_000;
const BEGIN = Date.parse('2026-01-01T00:00:00Z');

type Answer = 'answers' | 'refuses' | 'hangs';

class Watch implements AsyncDisposable {
  readonly clock = new ManualClock(BEGIN);
  daemon: Answer;
  /** What a delivery answers. */
  takes = true;
  readonly reported: DaemonNews[] = [];
  readonly delivered: string[] = [];
  questions = 0;
  readonly #over = new AbortController();
  readonly #ended: Promise<void>;

  constructor(daemon: Answer = 'answers') {
    this.daemon = daemon;
    const options = {
      ask: async (signal: AbortSignal) => this.#ask(signal),
      report: (news: DaemonNews) => void this.reported.push(news),
      deliver: async ({ state }: DaemonNews) => {
        this.delivered.push(state);
        return Promise.resolve(this.takes);
      },
      goneAfterMs: GONE_AFTER_MS,
      clock: this.clock,
    };
    this.#ended = watchDaemon(options, this.#over.signal);
  }

  /** Second by second, so that each timer runs at its own time. */
  async pass(seconds: number): Promise<void> {
    for (let n = 0; n < seconds; n += 1) {
      await turn();
      this.clock.advance(1_000);
      await turn();
    }
  }

  get states(): string[] {
    return this.reported.map(({ state, at }) => `${state} ${(Date.parse(at) - BEGIN) / 1_000}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    await this.#ended;
    expect(this.clock.pending).toBe(0);
  }

  async #ask(signal: AbortSignal): Promise<string | null> {
    this.questions += 1;
    if (this.daemon === 'answers') return null;
    if (this.daemon === 'refuses') return 'no daemon is running';
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')));
    });
  }
}

it('AL79 a daemon that answers is asked every ten seconds and never reported', async () => {
  await using watch = new Watch();
  await watch.pass(200);
  expect(watch.questions).toBe(20 + 1);
  expect(watch.reported).toEqual([]);
});

it('AL79 one that is gone is reported once, after the time, and once when it is back', async () => {
  await using watch = new Watch();
  await watch.pass(100);
  watch.daemon = 'refuses';
  await watch.pass(300);
  watch.daemon = 'answers';
  await watch.pass(100);
  expect(watch.states).toEqual(['gone 160', 'back 410']);
  const [gone, back] = watch.reported;
  expect(gone).toMatchObject({
    last_answer_at: '2026-01-01T00:01:40.000Z',
    error: 'no daemon is running',
  });
  expect(back).toMatchObject({ last_answer_at: '2026-01-01T00:01:40.000Z', error: null });
  expect(watch.delivered).toEqual(['gone', 'back']);
});

it('AL79 a restart within the time is not reported', async () => {
  await using watch = new Watch();
  await watch.pass(10);
  watch.daemon = 'refuses';
  await watch.pass(55);
  watch.daemon = 'answers';
  await watch.pass(100);
  expect(watch.reported).toEqual([]);
});

it('AL79 one that takes questions and never answers is gone after the same time', async () => {
  await using watch = new Watch();
  await watch.pass(10);
  watch.daemon = 'hangs';
  await watch.pass(120);
  expect(watch.states).toEqual(['gone 70']);
  expect(watch.reported[0]?.error).toContain('does not answer');
});

it('AL79 one that never answered is gone too', async () => {
  await using watch = new Watch('refuses');
  await watch.pass(70);
  expect(watch.states).toEqual(['gone 60']);
});

it('AL80 what was not delivered is delivered again, only the newest and without a second report', async () => {
  await using watch = new Watch('refuses');
  watch.takes = false;
  await watch.pass(85);
  expect(watch.delivered).toEqual(['gone', 'gone', 'gone']);
  watch.daemon = 'answers';
  await watch.pass(10);
  watch.takes = true;
  await watch.pass(30);
  expect(watch.delivered.slice(3)).toEqual(['back', 'back']);
  expect(watch.states).toEqual(['gone 60', 'back 90']);
});

it('AL79 a question that makes no sense ends the watch', async () => {
  const options = {
    ask: async () => Promise.reject(new Error('wrong token')),
    report: () => undefined,
    deliver: async () => Promise.resolve(true),
    goneAfterMs: GONE_AFTER_MS,
    clock: new ManualClock(),
  };
  const { signal } = new AbortController();
  await expect(watchDaemon(options, signal)).rejects.toThrow('wrong token');
});
