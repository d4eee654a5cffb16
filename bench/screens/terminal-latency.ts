/** From a program's write to its viewers, over a real WebSocket, next to a bare terminal in process. */
import { readlinkSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';
import type { Pace } from '../pace.ts';
import { type Figure, timeFigures } from '../report/figures.ts';
import { percentile } from '../report/statistics.ts';
import { timed } from '../load/timed.ts';
import { PaneWriter } from '../rig/pane-writer.ts';
import { Rig } from '../rig/rig.ts';

/** The first is judged in detail, the second for how it grows. */
const [SESSIONS, MANY_SESSIONS] = [20, 100];
const ROUNDS = 4;
/** Together two thousand. */
const WRITES_A_ROUND = 500;
const QUICK_WRITES = 75;
const SNAPSHOTS = 1_000;
const QUICK_SNAPSHOTS = 60;
/** Longer than a viewer's interval, so that each write meets a quiet stream. */
const BETWEEN_WRITES_MS = 25;
/** Longer than a snapshot's interval. */
const BETWEEN_SNAPSHOTS_MS = 250;
const LOST_MS = 5_000;

const MISSED =
  'Missed: tmux, its control client, the daemon and the viewer wake up one after the other; the floor is ' +
  'one process. A daemon that holds the terminals itself would save two of them, and lose its sessions ' +
  'when it ends.';

/** Waits for marks that were written. */
class Marks {
  #count = 0;
  #awaited: { mark: string; seen: () => void } | null = null;

  /** Writes one mark; returns the milliseconds until it was shown. */
  async time(write: (mark: string) => void): Promise<number> {
    this.#count += 1;
    const mark = `<${this.#count}>`;
    const seen = new Promise<void>((resolve) => (this.#awaited = { mark, seen: resolve }));
    const began = performance.now();
    write(`\x1b[1;1H${mark}`);
    const lost = new AbortController();
    const late = pause(LOST_MS, null, { signal: lost.signal }).then(
      () => Promise.reject(new Error(`${mark} was not shown`)),
      () => undefined,
    );
    await Promise.race([seen, late]);
    const took = performance.now() - began;
    lost.abort();
    return took;
  }

  received(text: string): void {
    if (this.#awaited !== null && text.includes(this.#awaited.mark)) this.#awaited.seen();
  }
}

/** Opens more and more sessions; measures the first, while the others are quiet and while they draw. */
export async function terminalLatency({ isQuick }: Pace): Promise<Figure[]> {
  await using rig = new Rig();
  await rig.start();
  const devices = await rig.openShells(0, SESSIONS);
  using writer = new PaneWriter(devices);
  const size = { cols: 120, rows: 40 };
  const bytes = new Marks();
  await rig.connect([{ type: 'attach', session: 'shell0', ...size }], (data, isBinary) => {
    if (isBinary) bytes.received(data.toString('latin1'));
  });
  using floor = await bareTerminal();
  const rounds = isQuick ? 1 : ROUNDS;
  const writes = isQuick ? QUICK_WRITES : WRITES_A_ROUND;
  const idle = await series(bytes, writer, floor, rounds, writes);
  writer.redraw();
  const busy = await series(bytes, writer, floor, rounds, writes);
  const snapshots = new Marks();
  const watching = await rig.connect([{ type: 'watch', session: 'shell0' }], (data) =>
    snapshots.received(data.toString()),
  );
  const shown = await timed(
    isQuick ? QUICK_SNAPSHOTS : SNAPSHOTS,
    () => BETWEEN_SNAPSHOTS_MS + Math.random() * 100,
    async () => snapshots.time((mark) => writer.write(0, mark)),
  );
  watching.terminate();
  writer.rest();
  devices.push(...(await rig.openShells(SESSIONS, MANY_SESSIONS)));
  using manyWriter = new PaneWriter(devices);
  const manyIdle = await series(bytes, manyWriter, floor, rounds, writes);
  manyWriter.redraw();
  const manyBusy = await series(bytes, manyWriter, floor, rounds, writes);
  const against = (own: number[][], base: number[][]) =>
    percentile(own.flat(), 0.5) / percentile(base.flat(), 0.5);
  return [
    ...timeFigures(`write to viewer, ${SESSIONS} sessions at rest`, idle.daemon, {
      p50: 0.7,
      p99: 2.5,
      ifMissed: MISSED,
    }),
    ...timeFigures(`write to viewer, ${SESSIONS - 1} others drawing`, busy.daemon, {
      p99: 4,
      ifMissed: MISSED,
    }),
    ...timeFigures('the floor at rest: a bare terminal in one process', idle.floor),
    ...timeFigures('the floor, 19 others drawing', busy.floor),
    { name: 'viewer against the floor, p50', value: against(idle.daemon, idle.floor), unit: '×' },
    ...timeFigures(`write to viewer, ${MANY_SESSIONS} sessions at rest`, manyIdle.daemon, {
      p99: 4,
      ifMissed: MISSED,
    }),
    ...timeFigures(`write to viewer, ${MANY_SESSIONS - 1} others drawing`, manyBusy.daemon, {
      p99: 4,
      ifMissed: MISSED,
    }),
    ...timeFigures(`write to snapshot, ${SESSIONS - 1} others drawing`, [shown], { p99: 150 }),
  ];
}

async function series(
  bytes: Marks,
  writer: PaneWriter,
  floor: Awaited<ReturnType<typeof bareTerminal>>,
  rounds: number,
  writes: number,
) {
  const samples = { daemon: [] as number[][], floor: [] as number[][] };
  const between = () => BETWEEN_WRITES_MS;
  const own = async () => bytes.time((mark) => writer.write(0, mark));
  const least = async () => floor.marks.time((mark) => floor.writer.write(0, mark));
  for (let round = 0; round < rounds; round += 1) {
    samples.daemon.push(await timed(writes, between, own));
    samples.floor.push(await timed(writes, between, least));
  }
  return samples;
}

async function bareTerminal() {
  const pty = spawn('sleep', ['100000'], {});
  const input = () => readlinkSync(`/proc/${pty.pid}/fd/0`);
  while (!input().startsWith('/dev/pts/')) await pause(10);
  const writer = new PaneWriter([input()]);
  const marks = new Marks();
  pty.onData((data) => marks.received(data));
  return {
    writer,
    marks,
    [Symbol.dispose]() {
      writer[Symbol.dispose]();
      pty.kill();
    },
  };
}
