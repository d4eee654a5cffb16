/** Tables of attacks: each row tries one promise of docs/spec against a daemon in a process of its own. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TransportName } from '../../shared/schema/transport-name.ts';
import { onEngine } from '../support/transport/on-engine.ts';
import { type SpawnedDaemon, World } from '../support/daemon/world.ts';
import { PlainClient } from './plain-client.ts';

export interface Attack<Scene> {
  /** The rule of docs/spec under attack. */
  rule: string;
  name: string;
  /** Attacks, and returns what happened. */
  attack: (scene: Scene) => unknown;
  /** The expected outcome; may contain matchers. */
  holds: unknown;
}

export interface Table<Scene> {
  title: string;
  /**
   * The harmless counterpart of the rows, which a sound daemon allows. Its outcome is what a
   * successful attack looks like: every row must reject it.
   */
  twin: (scene: Scene) => unknown;
  /** The outcome of the twin. */
  passes: unknown;
  rows: readonly Attack<Scene>[];
}

/** A daemon under attack. */
export interface Target {
  world: World;
  api: PlainClient;
}

export interface Suite<Scene> {
  /** Only one where the attack does not use the network. */
  engines?: readonly TransportName[];
  settings?: Record<string, string>;
  /** Prepares what the rows share. */
  open: (target: Target) => Promise<Scene>;
  tables: readonly Table<Scene>[];
}

/** Registers every row of a suite on each network engine, with one daemon for each. */
export async function attackOnEngines<Scene>(suite: Suite<Scene>): Promise<void> {
  const { engines = TransportName.options } = suite;
  for (const engine of engines) await onEngine(engine, () => register(engine, suite));
}

function register<Scene>(engine: TransportName, { settings, open, tables }: Suite<Scene>): void {
  let world: World;
  let daemon: SpawnedDaemon;
  let api: PlainClient;
  let scene: Scene;

  beforeAll(async () => {
    world = new World({ LOOPWATCH_TRANSPORT: engine, ...settings });
    daemon = await world.spawn();
    api = new PlainClient(daemon.url, daemon.api.token);
    scene = await open({ world, api });
  });
  afterAll(async () => world[Symbol.asyncDispose]());

  const expectAlive = async () => {
    const { status } = await api.get('/healthz');
    const { exitCode, signalCode } = daemon.process;
    expect({ status, exitCode, signalCode }).toEqual({
      status: 200,
      exitCode: null,
      signalCode: null,
    });
  };

  describe.each(tables)('$title', ({ title, rows, twin, passes }) => {
    for (const { rule, name, attack, holds } of rows) {
      it(`${rule} ${name}`, async () => {
        expect(await attack(scene)).toEqual(holds);
        await expectAlive();
      });
    }

    it(`${title}: every row rejects the outcome of the harmless twin`, async () => {
      const outcome = await twin(scene);
      const blind = rows.filter(({ holds }) => accepts(holds, outcome));
      expect({ outcome, blind: blind.map(({ name }) => name) }).toEqual({
        outcome: passes,
        blind: [],
      });
      await expectAlive();
    });
  });
}

function accepts(holds: unknown, outcome: unknown): boolean {
  try {
    expect(outcome).toEqual(holds);
    return true;
  } catch {
    return false;
  }
}
