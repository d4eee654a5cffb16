/** Respawn in every state that a person can meet, as the machine itself gets there. */
import { respawnView } from '../../../server/respawn/respawn-view.ts';
import { RESPAWN_PRESETS } from '../../../shared/rules/respawn/respawn-presets.ts';
import type { EventDraft, EventRecord, EventType } from '../../../shared/schema/events/events.ts';
import type {
  RespawnConfig,
  RespawnConfigChange,
  RespawnView,
} from '../../../shared/schema/loops/respawn.ts';
import { eventRecord } from '../events/event-record.ts';
import { RespawnLife, START_WALL } from './respawn-life.ts';

export interface RespawnScene {
  view: RespawnView;
  config: RespawnConfig;
  /** Newest first. */
  events: EventRecord[];
  /** When it is, in milliseconds since 1970. */
  wallMs: number;
}

const MINUTE_MS = 60_000;
const OVERNIGHT: RespawnConfigChange = RESPAWN_PRESETS.at(-1)?.change ?? {};
/** Seconds that a step takes; clear has no turn. */
const STEP_SECONDS = { update: 74, init: 48, kickstart: 12 };

/** A life whose events keep their time, with an agent that works and gets somewhere. */
class Night extends RespawnLife {
  readonly record: { at: number; draft: EventDraft }[] = [];
  #tree = { commits: 0, files: 0 };
  #tokens = 18_400;

  override meet(input: Parameters<RespawnLife['meet']>[0]): this {
    const known = this.events.length;
    super.meet(input);
    const at = START_WALL + this.clockMs;
    this.record.push(...this.events.slice(known).map((draft) => ({ at, draft })));
    return this;
  }

  begin(minutes: number | null = 600): this {
    return this.start(minutes).see({ tree: this.#tree, contextPercent: 64 }).working();
  }

  /** Works, and says that it is done. */
  works(minutes: number, gain: { commits?: number; files?: number } = {}): this {
    const { commits = 0, files = 0 } = gain;
    this.#tokens += minutes * 3_150;
    this.#tree = { commits: this.#tree.commits + commits, files: this.#tree.files + files };
    this.working()
      .text()
      .tick(minutes * MINUTE_MS)
      .see({ tree: this.#tree });
    return this.output({ isSubstantial: true, tokens: this.#tokens });
  }

  /** At its prompt, and confirmed: a cycle begins if nothing prevents it. */
  rests(): this {
    return this.ready().tick(4_000);
  }

  /** The step under way is sent and done. */
  override step(): this {
    this.tick(5_000).deliver();
    if (this.name === 'waiting_clear') {
      return this.tick(2_000).output({ isPrompt: true }).tick(1_000);
    }
    const name = this.name.slice('waiting_'.length) as keyof typeof STEP_SECONDS;
    return this.working()
      .tick(STEP_SECONDS[name] * 1_000)
      .ready()
      .tick(15_000);
  }

  /** A whole cycle, up to the kickstart that begins the next work. */
  cycle(): this {
    this.rests();
    while (this.name.startsWith('sending_')) {
      this.step();
      if (this.name === 'monitoring_init') this.tick(3_000);
    }
    return this;
  }
}

const night = (change: RespawnConfigChange = {}) => new Night({ ...OVERNIGHT, ...change });

/** Some hours of it, with cycles of every kind. */
function experienced(): Night {
  const life = night().begin();
  life.works(22, { commits: 3, files: 11 }).cycle();
  // A person types before the first step is sent.
  life.works(9, { commits: 1, files: 1 }).rests().tick(1_000).working();
  life.works(12).see({ contextPercent: 12 }).cycle();
  life.see({ contextPercent: 58 }).works(31, { commits: 2, files: 7 }).rests().step().tick(5_000);
  life.deliver('unknown').see({ tree: null }).tick(MINUTE_MS);
  life.rests();
  life.step().step().step().tick(3_000).step();
  return life.works(26, { commits: 4, files: 19 });
}

const SCENES = {
  untouched: () => night().configure({ skip_clear: false }),
  watching: () => experienced(),
  confirming: () => experienced().ready('screen').tick(8_000).completes().tick(6_000),
  checking: () => experienced().ready('screen').tick(8_000).completes().tick(19_000),
  updating: () => experienced().rests().tick(5_000).deliver().working().tick(31_000),
  initializing: () =>
    experienced().rests().step().step().tick(5_000).deliver().working().tick(9_000),
  paused: () =>
    experienced()
      .rests()
      .tick(1_000)
      .pause()
      .tick(4 * MINUTE_MS),
  quota: () => {
    const life = experienced();
    const until = new Date(START_WALL + life.clockMs + 83 * MINUTE_MS).toISOString();
    const detail = "You've hit your 5-hour limit";
    life.agent('limited', { cause: 'usage', until, detail, witness: 'screen' });
    return life.tick(6 * MINUTE_MS);
  },
  circuit_open: () => {
    const life = night().begin().works(14, { commits: 1, files: 3 }).cycle();
    for (const minutes of [2, 3, 2]) life.works(minutes).cycle();
    return life.tick(9 * MINUTE_MS);
  },
  check_off: () => {
    const life = experienced().ready('screen');
    // No answer comes until it is turned off.
    for (let asked = 0; asked < 100 && life.known.idleChecker.status !== 'disabled'; asked += 1) {
      life.tick(20_000);
    }
    return life.working().text().tick(12_000);
  },
  needs_person: () => {
    const life = experienced();
    const detail = 'Do you want to run "npm publish"?';
    life.agent('waiting', { cause: 'permission', detail, witness: 'screen' });
    return life.tick(3 * MINUTE_MS);
  },
  time_over: () => experienced().tick(9 * 60 * MINUTE_MS),
  stopped: () =>
    experienced()
      .stop()
      .tick(12 * MINUTE_MS),
} satisfies Record<string, () => Night>;

export type RespawnSceneName = keyof typeof SCENES;
export const RESPAWN_SCENES = Object.keys(SCENES) as RespawnSceneName[];

export function respawnScene(name: RespawnSceneName): RespawnScene {
  const life = SCENES[name]();
  const wallMs = START_WALL + life.clockMs;
  const { known } = life;
  return {
    view: respawnView(known, { clockMs: life.clockMs, wallMs }),
    config: known.config,
    events: life.record
      .map(({ at, draft }, index) => eventRecord<EventType>(draft, index + 1, iso(at)))
      .toReversed(),
    wallMs,
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
