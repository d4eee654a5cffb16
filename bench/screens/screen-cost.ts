/** What snapshots cost the daemon: of unwatched and watched sessions, next to plain captures. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { execFile } from '../../server/lib/processes/exec-file.ts';
import type { Pace } from '../pace.ts';
import type { Figure } from '../report/figures.ts';
import { cpuShare } from '../rig/process-cost.ts';
import { PaneWriter } from '../rig/pane-writer.ts';
import { Rig } from '../rig/rig.ts';

const COUNTS = [10, 50, 200];
/** With this many sessions, each is also shown to several viewers. */
const SHARED = 50;
const VIEWERS = 5;
const MEASURED_MS = 8_000;
const SETTLE_MS = 2_000;
const TICK_MS = 10;
const EXECS = 100;
const MISSED =
  'Missed: each session is captured ten times a second, and a capture costs the daemon 0.3 to 0.4 ms: a ' +
  'question to the control client of tmux, its answer read row by row, the rows that changed, a frame for ' +
  'each viewer. Less would need fewer captures, or a terminal emulated from the bytes the daemon gets anyway.';

/** Measures more and more sessions, all but one drawing ten times a second. */
export async function screenCost({ isQuick }: Pace): Promise<Figure[]> {
  await using rig = new Rig();
  await rig.start();
  const devices: string[] = [];
  const figures: Figure[] = [];
  for (const count of isQuick ? [SHARED] : COUNTS) {
    devices.push(...(await rig.openShells(devices.length, count)));
    using writer = new PaneWriter(devices);
    writer.redraw();
    const unwatched = await share(rig.pid);
    let snapshots = 0;
    const sockets = await watchAll(rig, count, () => (snapshots += 1));
    await pause(SETTLE_MS);
    const before = snapshots;
    const watched = await share(rig.pid);
    const each = ((watched - unwatched) * MEASURED_MS) / (snapshots - before);
    if (count === SHARED) {
      for (let viewer = 1; viewer < VIEWERS; viewer += 1) {
        sockets.push(...(await watchAll(rig, count, () => undefined)));
      }
      await pause(SETTLE_MS);
      const name = `${count} drawing sessions, each with ${VIEWERS} viewers, daemon CPU`;
      const value = (await share(rig.pid)) * 100;
      const goal = { direction: 'at most', value: 12, ifMissed: MISSED } as const;
      figures.push({ name, value, unit: '%', goal });
    }
    for (const socket of sockets) socket.terminate();
    figures.push(
      {
        name: `${count} drawing sessions, unwatched, daemon CPU`,
        value: unwatched * 100,
        unit: '%',
      },
      { name: `${count} drawing sessions, watched, daemon CPU`, value: watched * 100, unit: '%' },
      { name: `${count} watched, daemon CPU of a snapshot`, value: each, unit: 'ms' },
      {
        name: `${count} watched, snapshots sent`,
        value: ((snapshots - before) / MEASURED_MS) * 1_000,
        unit: '/s',
      },
    );
  }
  return [...figures, await execCost(rig)];
}

/** One more viewer of every session, on as few connections as possible. */
async function watchAll(rig: Rig, count: number, onFrame: () => void): Promise<WebSocket[]> {
  const watch = Array.from({ length: count }, (_, n) => ({ type: 'watch', session: `shell${n}` }));
  // A peer watches 64 screens at most and may send 50 frames a second.
  return Promise.all(
    Array.from({ length: Math.ceil(count / 40) }, async (_, n) =>
      rig.connect(watch.slice(n * 40, n * 40 + 40), onFrame),
    ),
  );
}

/** CPU of a process once it has settled; 1 is a whole core. */
async function share(pid: number): Promise<number> {
  await pause(SETTLE_MS);
  return cpuShare(pid, MEASURED_MS);
}

/** The baseline: one program run for each capture, its own CPU and ours. */
async function execCost(rig: Rig): Promise<Figure> {
  const socket = readdirSync(join(rig.root, 'run'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isSocket())
    .map((entry) => join(entry.parentPath, entry.name))[0];
  const before = ownTicks();
  for (let n = 0; n < EXECS; n += 1) {
    const words = ['-S', socket ?? '', 'capture-pane', '-p', '-e', '-t', 'main:'];
    await execFile('tmux', words, { timeoutMs: 5_000 });
  }
  const value = ((ownTicks() - before) * TICK_MS) / EXECS;
  return { name: 'capture by a program for each, CPU', value, unit: 'ms' };
}

/** Of this process and of its children that ended. */
function ownTicks(): number {
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
}
