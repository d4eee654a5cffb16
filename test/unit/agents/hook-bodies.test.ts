/** Memory for the bodies of hooks: which hooks wait, which do not, and what is parsed when. */
import { expect, it } from 'vitest';
import {
  HookBodies,
  MAX_BYTES,
  MAX_SESSION_BYTES,
  MAX_SESSION_WAITING,
} from '../../../server/api/hook-bodies.ts';
import { AppError } from '../../../server/lib/app-error.ts';

const KIB = 1024;

async function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Hooks whose bodies arrive when the test says so. */
class Stage {
  readonly bodies = new HookBodies();
  readonly arrive: (() => void)[] = [];
  most = 0;

  /** Returns `parsed`, or the code of the refusal. */
  async send(session: string, bytes = 900 * KIB, signal = new AbortController().signal) {
    const headers = new Headers({ 'content-length': String(bytes) });
    const load = async () => {
      this.most = Math.max(this.most, this.bodies.bytes);
      await new Promise<void>((resolve) => this.arrive.push(resolve));
      return 'text';
    };
    return this.bodies
      .read(session, { headers, signal }, load, () => 'parsed')
      .catch((error: unknown) => (error instanceof AppError ? error.code : String(error)));
  }

  /** Lets every body arrive, also of those admitted as a result. */
  async arriveAll(): Promise<void> {
    while (this.bodies.bytes > 0) {
      for (const arrive of this.arrive.splice(0)) arrive();
      await nextTurn();
    }
  }
}

it('HK11 the bodies of hooks are bounded in total, and all waiting ones are read eventually', async () => {
  const stage = new Stage();
  const sent = Array.from({ length: 60 }, async (_, number) => stage.send(`s${number % 20}`));
  await nextTurn();
  expect(stage.bodies.waiting).toBeGreaterThan(40);
  await stage.arriveAll();
  expect(new Set(await Promise.all(sent))).toEqual(new Set(['parsed']));
  expect(stage.most).toBeGreaterThan(MAX_BYTES - 1024 * KIB);
  expect(stage.most).toBeLessThanOrEqual(MAX_BYTES);
});

it('HK11 HK27 a session at its bound waits and is refused; others are read meanwhile', async () => {
  const stage = new Stage();
  const flood = Array.from({ length: MAX_SESSION_WAITING + 5 }, async () => stage.send('flood'));
  await nextTurn();
  expect(stage.bodies.bytes).toBeLessThanOrEqual(MAX_SESSION_BYTES);
  const other = stage.send('other');
  await nextTurn();
  expect(stage.arrive).toHaveLength(3);
  stage.arrive[2]?.();
  expect(await other).toBe('parsed');
  await stage.arriveAll();
  const outcomes = await Promise.all(flood);
  expect(outcomes.filter((word) => word === 'hooks_busy')).toHaveLength(3);
  expect(outcomes.filter((word) => word === 'parsed')).toHaveLength(MAX_SESSION_WAITING + 2);
});

it('HK11 a hook that disconnects while it waits takes no room', async () => {
  const stage = new Stage();
  const aborter = new AbortController();
  const held = [stage.send('web'), stage.send('web')];
  const left = stage.send('web', 900 * KIB, aborter.signal);
  await nextTurn();
  aborter.abort();
  expect(await left).toBe('hooks_busy');
  expect(stage.bodies.waiting).toBe(0);
  await stage.arriveAll();
  expect(await Promise.all(held)).toEqual(['parsed', 'parsed']);
  expect(stage.bodies.bytes).toBe(0);
});

it('HK28 bodies are parsed one at a time, with other work in between', async () => {
  const bodies = new HookBodies();
  const order: string[] = [];
  const read = async (name: string) =>
    bodies.read(
      name,
      { headers: new Headers({ 'content-length': '10' }), signal: new AbortController().signal },
      async () => Promise.resolve('text'),
      () => {
        order.push(name);
        setImmediate(() => order.push('others'));
      },
    );
  await Promise.all(['a', 'b', 'c'].map(read));
  await nextTurn();
  expect(order).toEqual(['a', 'others', 'b', 'others', 'c', 'others']);
});
