/** Respawn of the session `web` through the API, as quick as its configuration allows. */
import type { RespawnStateName } from '../../../shared/rules/respawn/respawn-names.ts';
import { DEFAULT_RESPAWN_CONFIG, type RespawnView } from '../../../shared/schema/loops/respawn.ts';
import type { Answer, ApiClient } from '../daemon/api-client.ts';
import { until } from '../house/until.ts';

/** Without models. */
export const QUICK = {
  idle_check_enabled: false,
  plan_check_enabled: false,
  adaptive_confirm: false,
  idle_timeout_ms: 1_000,
  completion_confirm_ms: 1_000,
  no_output_timeout_ms: 5_000,
  inter_step_delay_ms: 100,
  auto_accept_delay_ms: 500,
  breaker_after_cycles: 100,
  kickstart_prompt: 'Go on.',
};

/** A pause before a step that no slow machine outlasts: a test ends it, or skips it. */
export const LONG_DELAY_MS = 60_000;

const PATH = '/api/sessions/web/respawn';

type EndedCycle = RespawnView['cycles'][number];

export class Respawning {
  readonly #api: ApiClient;

  constructor(api: ApiClient) {
    this.#api = api;
  }

  /** What a whole cycle sends. */
  readonly texts = [
    DEFAULT_RESPAWN_CONFIG.update_prompt,
    '/clear',
    '/init',
    QUICK.kickstart_prompt,
  ];

  async start(change: object = {}): Promise<Answer> {
    return this.#api.send('POST', `${PATH}/start`, { config: { ...QUICK, ...change } });
  }

  /** Starts it, and waits until it is in the pause before `clear`, which lasts a minute. */
  async startBeforeClear(): Promise<void> {
    await this.start({ completion_confirm_ms: 5_000 });
    await this.reaches('sending_update', 'waiting_update');
    await this.configure({ inter_step_delay_ms: LONG_DELAY_MS });
    await this.reaches('sending_clear');
  }

  async configure(change: object): Promise<Answer> {
    return this.#api.send('PUT', `${PATH}/config`, change);
  }

  async order(order: string): Promise<Answer> {
    return this.#api.send('POST', `${PATH}/${order}`);
  }

  async answer(): Promise<Answer> {
    return this.#api.get(PATH);
  }

  async view(): Promise<RespawnView> {
    return (await this.answer()).body as unknown as RespawnView;
  }

  /** Waits until it is in one of the states. */
  async reaches(...states: RespawnStateName[]): Promise<RespawnView> {
    return this.sees(states.join(' or '), ({ state }) => states.includes(state));
  }

  /** Waits until that many cycles have ended; returns them, the newest first. */
  async cycles(count: number): Promise<EndedCycle[]> {
    const ended = ({ cycles }: RespawnView) => cycles.filter(({ ended_at }) => ended_at !== null);
    return ended(await this.sees(`${count} cycles`, (view) => ended(view).length >= count));
  }

  /** Waits for a whole cycle. One before it may have ended early: on a slow machine a text is unknown. */
  async completes(): Promise<void> {
    const isWhole = ({ outcome }: EndedCycle) => outcome === 'completed';
    await this.sees('a whole cycle', ({ cycles }) => cycles.some(isWhole));
  }

  /** The end of what was received, up to the last step of a cycle. */
  endOf(received: readonly string[]): string[] {
    const end = received.lastIndexOf(QUICK.kickstart_prompt) + 1;
    return received.slice(Math.max(0, end - this.texts.length), end);
  }

  /** Waits until the view is as wanted. What the view shows is the progress. */
  async sees(what: string, isSeen: (view: RespawnView) => boolean): Promise<RespawnView> {
    let view: RespawnView | null = null;
    const poll = async () => {
      view = await this.view();
      return isSeen(view) ? view : null;
    };
    return until(what, poll, () => view && { ...view, layers: [] });
  }
}
