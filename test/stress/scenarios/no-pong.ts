/**
 * A peer that answers no ping is closed with a code in time, on both engines alike; one that
 * answers stays.
 */
import { CloseCode } from '../../../shared/rules/wire.ts';
import { EdgeLink } from '../edge-link.ts';
import { RawSocket } from '../raw-socket.ts';
import { Reader } from '../reader.ts';
import { atMost, exactly, left, type Scenario, settle } from '../stage.ts';

const MUTE = 50;
const ANSWERING = 50;
const PING_INTERVAL_MS = 400;
/** By then the mute peers must be closed. */
const GONE_MS = 3 * PING_INTERVAL_MS;
/** Allowance for a busy machine. */
const SLACK_MS = 600;

export const noPong: Scenario = {
  name: 'no pong',
  async play({ engine, count, note }) {
    await using edge = await EdgeLink.start({ engine, pingIntervalMs: PING_INTERVAL_MS });
    const answering = Array.from({ length: count(ANSWERING) }, () => new Reader(edge.ready));
    for (const reader of answering) reader.come();
    const late = await left(answering, ({ isLive }) => isLive);
    const before = await edge.state();
    const mute = Array.from(
      { length: count(MUTE) },
      () => new RawSocket({ ...edge.ready, mute: true }),
    );
    const began = performance.now();
    const ends = await Promise.all(mute.map(async ({ ended }) => ended));
    const closedMs = performance.now() - began;
    note(`${mute.length} mute ones gone after ${closedMs.toFixed(0)} ms`);
    await edge.append(1, 8);
    const rows = await edge.rows();
    await left(answering, (reader) => reader.isThrough(rows));
    const after = await settle(edge, ({ openFiles }) => openFiles === before.openFiles);
    const cut = answering.filter(({ ends }) => ends.length > 0).length;
    const gaps = answering.reduce((sum, reader) => sum + reader.judge(rows).gaps, 0);
    await Promise.all(answering.map(async (reader) => reader.cut()));
    return [
      exactly('readers that never went live', late, 0),
      atMost('mute ones gone after', closedMs, GONE_MS + SLACK_MS, 'ms'),
      exactly(
        'mute ones with another code',
        ends.filter(({ code }) => code !== CloseCode.noPong).length,
        0,
      ),
      exactly('files of the mute left', after.openFiles - before.openFiles, 0),
      exactly('answering ones cut', cut, 0),
      exactly('gaps of the answering', gaps, 0),
    ];
  },
};
