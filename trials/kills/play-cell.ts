/** One kill in one moment: brings the client there, kills, and checks what must hold afterwards. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { EventRecord } from '../../shared/schema/events/events.ts';
import type { Stage } from '../stage.ts';
import type { Scenario } from './scenarios.ts';

export const VICTIMS = ['client', 'terminal', 'daemon'] as const;
export type Victim = (typeof VICTIMS)[number];

/** A prompt that waits while the kill happens; in a shell it would leave a file. */
export interface Held {
  text: string;
  file: string;
}

/**
 * Returns what was seen, in words. `name` is used once, also as prompt. Throws what did not hold.
 * `held`: a prompt that must not arrive later either, or null.
 */
export async function playCell(
  stage: Stage,
  name: string,
  scenario: Scenario,
  victim: Victim,
): Promise<{ seen: string; held: Held | null }> {
  await freshClient(stage, scenario);
  await scenario.begin(stage, name);
  const file = join(stage.work, `typed-${name.replaceAll(/\W+/g, '-')}`);
  const held = scenario.holdsPrompts ? { text: `touch ${file}`, file } : null;
  const id = held === null ? null : await queue(stage, held.text);
  const seen = await KILLS[victim](stage, scenario);
  const wanted = victim !== 'daemon' ? 'failed' : scenario.finish && 'delivered';
  if (id !== null && wanted !== undefined) await settlesAs(stage, id, wanted);
  const times = stage.heard(name);
  if (times > 1) throw new Error(`the client heard its prompt ${times} times`);
  const again = held === null ? 0 : stage.heard(held.text);
  if (again > (id !== null && victim !== 'daemon' ? 0 : 1)) {
    throw new Error(`the client heard the held prompt ${again} times`);
  }
  if (existsSync(file)) throw new Error('the held prompt was typed into a shell');
  return { seen, held: victim === 'daemon' || id === null ? null : held };
}

/** In a session of its own, or in the shell of the last one. */
async function freshClient(stage: Stage, { mode, variables }: Scenario): Promise<void> {
  stage.model.forget();
  if (!(await stage.hasSession())) await stage.open();
  const runs = (await stage.agent()) !== null && stage.sightings.at(-1)?.group !== 'exited';
  if (runs) await stage.restartClient(mode, variables);
  else await stage.startClient(mode, variables);
}

/** The id of the prompt while it is held; null when the client took it, as some do at work. */
async function queue(stage: Stage, text: string): Promise<number | null> {
  const { id } = await stage.send('POST', stage.path('input'), { text, submit: true });
  const delivery = await stage.until('the prompt is held or delivered', async () => {
    const { inputs } = (await stage.send('GET', stage.path('inputs'))) as {
      inputs: { id: number; delivery: string }[];
    };
    const now = inputs.find((each) => each.id === id)?.delivery;
    return now === 'delivering' ? null : now;
  });
  return delivery === 'held' ? Number(id) : null;
}

const KILLS: Record<Victim, (stage: Stage, scenario: Scenario) => Promise<string>> = {
  client: async (stage) => {
    const sinceMs = performance.now();
    process.kill(stage.clientPid(), 'SIGKILL');
    await stage.shows('exited');
    return `shown as exited after ${Math.round(performance.now() - sinceMs)} ms`;
  },
  terminal: async (stage) => {
    const pid = stage.clientPid();
    const before = (await eventsOf(stage, 'session.closed')).length;
    process.kill(await stage.terminalServer(), 'SIGKILL');
    await stage.until('the end of the session', async () => !(await stage.hasSession()));
    await stage.until('the end of the client', () => !existsSync(`/proc/${pid}`));
    const closed = (await eventsOf(stage, 'session.closed')).slice(before);
    const reasons = closed.map(({ data }) => ('reason' in data ? String(data.reason) : ''));
    if (reasons.join() !== 'terminal_lost') throw new Error(`session.closed: ${reasons.join()}`);
    return 'session closed as terminal_lost, its client ended';
  },
  daemon: async (stage, { finish, mayChange }) => {
    const [pid, server] = [stage.clientPid(), await stage.terminalServer()];
    const before = stage.sightings.at(-1)?.group ?? 'unknown';
    await stage.daemon.end('SIGKILL');
    await stage.daemon.start();
    const after = await stage.until(`the state ${before} of the same client`, () => {
      const group = stage.sightings.at(-1)?.group ?? null;
      if (mayChange === true) return group === 'exited' || group === 'unknown' ? null : group;
      return group === before ? group : null;
    });
    if (stage.clientPid() !== pid || (await stage.terminalServer()) !== server)
      throw new Error('another client or another terminal runs');
    await finish?.(stage);
    if (finish !== undefined) await stage.shows('idle');
    return `the same client, shown as ${after}`;
  },
};

/** Waits for the fate of a prompt, by its event: its session may be gone. */
async function settlesAs(stage: Stage, id: number, wanted: string): Promise<void> {
  const fate = await stage.until('the fate of the held prompt', async () => {
    const fates = (await eventsOf(stage, 'session.input')).flatMap(({ data }) =>
      'delivery' in data && 'id' in data && data.id === id ? [data.delivery] : [],
    );
    return fates.findLast((fate) => fate !== 'held' && fate !== 'delivering');
  });
  if (fate !== wanted) throw new Error(`the held prompt was ${fate}, not ${wanted}`);
}

/** Of that type, oldest first. */
async function eventsOf(stage: Stage, type: string): Promise<EventRecord[]> {
  const { events } = await stage.send('GET', `/api/events?after=0&limit=1000&types=${type}`);
  return events as EventRecord[];
}
