/** From the rename of `.auto-signal` to its event at a subscriber, beside the least a machine needs. */
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SIGNAL_FILE, SIGNAL_TEMPORARY_FILE } from '../../shared/auto-signal.ts';
import type { EventRecord } from '../../shared/events.ts';
import { type Figure, timeFigures } from '../report/figures.ts';
import { percentile } from '../report/statistics.ts';
import { Rig } from '../rig/rig.ts';

const LOOPS = 20;
/** Daemon and floor take turns, so that both meet the same machine. */
const ROUNDS = 5;
const SIGNALS_A_ROUND = 200;
/** One directory is looked at ten times a second at most; its next signal comes after twice that. */
const BETWEEN_SIGNALS_MS = 10;
const POLL_MS = 2_000;
const BLIND_ROUNDS = 8;

/** Gives up the watch of every directory, as a machine out of inotify watches does. */
const BLIND =
  'data:text/javascript,import fs from "node:fs";import{syncBuiltinESMExports}from"node:module";' +
  'fs.watch=()=>{throw Object.assign(new Error("ENOSPC"),{code:"ENOSPC"})};syncBuiltinESMExports();';

/** Sends signals one by one and keeps how long each took to be told. */
class Stopwatch {
  readonly samples: number[] = [];
  readonly #sent = new Map<string, number>();
  #written = 0;

  send(name: string, directory: string): void {
    this.#written += 1;
    // The timestamp is the one field that travels through unchanged: it numbers the signal.
    const timestamp = new Date(Date.now() + this.#written).toISOString();
    const signal = { step: 'check', result: 'PASS', next: 'exec', checkpoint: '', timestamp };
    const temporary = join(directory, SIGNAL_TEMPORARY_FILE);
    writeFileSync(temporary, JSON.stringify(signal));
    this.#sent.set(`${name} ${timestamp}`, performance.now());
    renameSync(temporary, join(directory, SIGNAL_FILE));
  }

  told(name: string, timestamp: string): void {
    const sent = this.#sent.get(`${name} ${timestamp}`);
    if (sent === undefined) return;
    this.#sent.delete(`${name} ${timestamp}`);
    this.samples.push(performance.now() - sent);
  }

  async all(): Promise<void> {
    for (let waited = 0; this.#sent.size > 0; waited += 10) {
      if (waited > 2 * POLL_MS + 5_000) throw new Error(`${this.#sent.size} signals were not told`);
      await pause(10);
    }
  }
}

/** Takes a rig whose daemon runs loops in these directories. */
export async function signalLatency(rig: Rig, directories: Map<string, string>): Promise<Figure[]> {
  const daemon = new Stopwatch();
  await listenTo(rig, daemon);
  const floor = new Stopwatch();
  using floorDirectories = watchedDirectories(floor);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [watch, places] of [
      [floor, floorDirectories.places],
      [daemon, directories],
    ] as const) {
      const names = [...places];
      for (let n = 0; n < SIGNALS_A_ROUND; n += 1) {
        const [name, directory] = names[n % names.length] ?? ['', ''];
        watch.send(name, directory);
        await pause(BETWEEN_SIGNALS_MS);
      }
      await watch.all();
    }
  }
  const ratio = percentile(daemon.samples, 0.5) / percentile(floor.samples, 0.5);
  return [
    ...timeFigures(`signal to subscriber, ${LOOPS} loops, durable`, daemon.samples),
    ...timeFigures('the floor: watch, read and parse in one process', floor.samples),
    { name: 'signal to subscriber against the floor, p50', value: ratio, unit: '×' },
  ];
}

/** The same where the system's watch tells nothing and the poll alone finds the signal. */
export async function blindLatency(): Promise<Figure[]> {
  await using rig = new Rig({
    LOOPWATCH_SIGNAL_POLL_MS: String(POLL_MS),
    NODE_OPTIONS: `--import=${encodeURI(BLIND)}`,
  });
  await rig.start();
  const directories = await rig.startLoops(LOOPS);
  const stopwatch = new Stopwatch();
  await listenTo(rig, stopwatch);
  for (let round = 0; round < BLIND_ROUNDS; round += 1) {
    await Promise.all(
      [...directories].map(async ([name, directory]) => {
        await pause(Math.random() * POLL_MS);
        stopwatch.send(name, directory);
      }),
    );
    await stopwatch.all();
  }
  return timeFigures(`signal to subscriber, watch missed, poll ${POLL_MS} ms`, stopwatch.samples);
}

async function listenTo(rig: Rig, stopwatch: Stopwatch): Promise<void> {
  await rig.subscribe(null, (frame) => {
    if (frame.type !== 'event') return;
    const event = frame.event as EventRecord;
    if (event.type === 'auto.signal') stopwatch.told(event.session ?? '', event.data.timestamp);
  });
}

function watchedDirectories(stopwatch: Stopwatch) {
  const root = mkdtempSync(join(tmpdir(), 'lwb-'));
  const places = new Map<string, string>();
  const watchers = Array.from({ length: LOOPS }, (_, n) => {
    const name = `floor${n}`;
    const directory = join(root, name);
    mkdirSync(directory);
    places.set(name, directory);
    return watch(directory, (_event, file) => {
      if (file !== SIGNAL_FILE) return;
      const text = readFileSync(join(directory, SIGNAL_FILE), 'utf8');
      stopwatch.told(name, (JSON.parse(text) as { timestamp: string }).timestamp);
    });
  });
  return {
    places,
    [Symbol.dispose]() {
      for (const watcher of watchers) watcher.close();
      rmSync(root, { recursive: true });
    },
  };
}
