/** A daemon at work for hours, measured once a minute. */
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { DATABASE_FILE } from '../../../server/db/database.ts';
import { packageRoot } from '../../../server/lib/package-root.ts';
import { Random } from '../../support/house/random.ts';
import { World } from '../../support/daemon/world.ts';
import { type MemoryFigures, PROBE_FILE, PROBE_VARIABLE } from './memory-figures.ts';
import { SoakLoops } from './soak-loops.ts';
import { SoakReader } from './soak-reader.ts';
import { SoakViewer } from './soak-viewer.ts';

const PROBE = join(packageRoot(), 'dist/test/stress/soak/memory-probe.js');
const ROUND_MS = 1_000;
const MINUTE_MS = 60_000;
const LAG = 'loopwatch_event_loop_lag_seconds';

export interface SoakOptions {
  seed: number;
  minutes: number;
  loops: number;
  readers: number;
  viewers: number;
  /** Between two signals of a loop. */
  signalMs: number;
  /** Between two agents killed. */
  killMs: number;
  /** Between two sessions closed. */
  closeMs: number;
  /** Ends it early, with the daemon and its sessions. */
  stop: AbortSignal;
  onSample: (sample: SoakSample) => void;
  /** Gets the daemon's pid and the directory where its probe puts heap snapshots. */
  onStart: (pid: number, probeDirectory: string) => void;
}

export interface SoakSample extends MemoryFigures {
  minute: number;
  /** RSS by kind: its own memory, and mapped files. */
  anonymous: number;
  files: number;
  descriptors: number;
  head: number;
  databaseBytes: number;
  walBytes: number;
  /** How late the daemon's timers were, on average since the last sample. */
  lagMs: number;
  heard: number;
  gaps: number;
  failures: readonly string[];
  visits: number;
  starts: number;
  kills: number;
}

export async function soak(options: SoakOptions): Promise<void> {
  const { seed, minutes, stop, onSample, onStart } = options;
  const random = new Random(seed);
  await using world = new World({
    LOOPWATCH_STAND_IN_STEP_MS: String(options.signalMs),
    LOOPWATCH_SIGNAL_POLL_MS: '2000',
    NODE_OPTIONS: `--import ${pathToFileURL(PROBE).href}`,
    [PROBE_VARIABLE]: process.env[PROBE_VARIABLE] ?? '',
  });
  const probe = world.environment[PROBE_VARIABLE] || join(world.root, 'probe');
  world.environment[PROBE_VARIABLE] = probe;
  mkdirSync(probe, { recursive: true });
  const { process: daemon, api } = await world.spawn();
  const pid = daemon.pid ?? 0;
  onStart(pid, probe);
  const loops = new SoakLoops(world, api, random, options.loops, options.signalMs);
  await loops.keepUp();
  const readers = Array.from({ length: options.readers }, () => new SoakReader(api, random));
  const viewers = Array.from(
    { length: options.viewers },
    () => new SoakViewer(api, random, loops.sessions),
  );
  const failures: string[] = [];
  const note = (error: unknown) => void failures.push(String(error));
  const began = performance.now();
  let lag = { seconds: 0, timers: 0 };
  const due = { sample: MINUTE_MS, kill: options.killMs, close: options.closeMs };
  try {
    while (!stop.aborted) {
      await pause(ROUND_MS);
      const now = performance.now() - began;
      await loops.keepUp().catch(note);
      for (; now >= due.kill; due.kill += options.killMs) loops.killAgent();
      if (now >= due.close) {
        due.close += options.closeMs;
        await loops.closeSession().catch(note);
      }
      if (now < due.sample) continue;
      due.sample += MINUTE_MS;
      const metric = await metrics(api).catch(note);
      if (metric === undefined) continue;
      const before = lag;
      lag = { seconds: metric(`${LAG}_sum`), timers: metric(`${LAG}_count`) };
      const total = (name: 'events' | 'gaps' | 'visits') =>
        readers.reduce((sum, reader) => sum + reader[name], 0);
      const minute = Math.round(now / MINUTE_MS);
      onSample({
        ...(JSON.parse(readFileSync(join(probe, PROBE_FILE), 'utf8')) as MemoryFigures),
        ...residence(pid),
        minute,
        descriptors: metric('loopwatch_process_open_fds'),
        head: metric('loopwatch_events_appended_total'),
        databaseBytes: metric('loopwatch_database_bytes'),
        walBytes: statSync(`${join(world.home, DATABASE_FILE)}-wal`).size,
        lagMs: ((lag.seconds - before.seconds) / (lag.timers - before.timers)) * 1_000,
        heard: total('events'),
        gaps: total('gaps'),
        failures: [...failures, ...readers.flatMap((reader) => reader.failures)],
        visits: total('visits') + viewers.reduce((sum, viewer) => sum + viewer.visits, 0),
        starts: loops.starts,
        kills: loops.kills,
      });
      if (minute >= minutes) return;
    }
  } finally {
    await Promise.all([...readers, ...viewers].map((each) => each[Symbol.asyncDispose]()));
  }
}

/** Returns a function that reads the sum of a metric over its labels. */
async function metrics(api: { get: (path: string) => Promise<{ body: object }> }) {
  const { text } = (await api.get('/metrics')).body as { text: string };
  const lines = text.split('\n');
  return (name: string) =>
    lines
      .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

function residence(pid: number): { rss: number; anonymous: number; files: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  const bytes = (field: string) =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? NaN) * 1024;
  return { rss: bytes('VmRSS'), anonymous: bytes('RssAnon'), files: bytes('RssFile') };
}
