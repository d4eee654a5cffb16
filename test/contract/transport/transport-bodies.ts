/** What every network engine must do alike with bodies in transit, over real sockets. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import type { TransportName } from '../../../shared/schema/transport-name.ts';
import { TransportRig } from '../../support/transport/transport-rig.ts';
import { until } from '../../support/house/until.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

export function testBodies(engine: TransportName): void {
  it('TR3 an answer is sent as it is produced, no faster than it is read', async () => {
    await using rig = await TransportRig.listen(engine);
    let pulls = 0;
    const chunk = Buffer.alloc(64 * KIB, 'x');
    rig.fetch = async () => {
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          pulls += 1;
          // Never all at once: it must be sent as a stream.
          await new Promise((resolve) => setImmediate(resolve));
          if (pulls > 800) controller.close();
          else controller.enqueue(chunk);
        },
      });
      return Promise.resolve(new Response(body));
    };
    const { body } = await fetch(rig.url);
    const reader = body?.getReader();
    await reader?.read();
    await comesToRest(() => pulls);
    expect(pulls).toBeLessThan(400);
    let size = chunk.length;
    for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
      size += (read.value as Uint8Array).length;
    }
    expect(size).toBeGreaterThanOrEqual(800 * chunk.length - MIB);
    expect(pulls).toBe(801);
  });

  it('TR3 a body that is not read yet is paused at its source', async () => {
    await using rig = await TransportRig.listen(engine);
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    rig.fetch = async (request) => {
      await released;
      return new Response(String((await request.arrayBuffer()).byteLength));
    };
    const chunk = Buffer.alloc(64 * KIB, 'x');
    let pulls = 0;
    const body = new ReadableStream({
      pull(controller) {
        pulls += 1;
        if (pulls > 800) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const answer = fetch(rig.url, { method: 'POST', body, duplex: 'half' });
    await comesToRest(() => pulls);
    expect(pulls).toBeGreaterThan(1);
    expect(pulls).toBeLessThan(400);
    release();
    expect(await (await answer).text()).toBe(String(800 * chunk.length));
  });

  it('TR14 a reader that leaves ends the answer and the request', async () => {
    await using rig = await TransportRig.listen(engine);
    let isCancelled = false;
    let signal: AbortSignal | undefined;
    rig.fetch = async (request) => {
      signal = request.signal;
      const body = new ReadableStream(
        {
          pull: (controller) => controller.enqueue(Buffer.from('tick')),
          cancel: () => void (isCancelled = true),
        },
        { highWaterMark: 0 },
      );
      return Promise.resolve(new Response(body));
    };
    const away = new AbortController();
    const { body } = await fetch(rig.url, { signal: away.signal });
    await body?.getReader().read();
    away.abort();
    await until('the end', () => isCancelled && signal?.aborted === true);
  });

  it('TR14 a reader that leaves aborts the signal of its request', async () => {
    await using rig = await TransportRig.listen(engine);
    let signal: AbortSignal | undefined;
    rig.fetch = async (request) => {
      signal = request.signal;
      return new Promise((resolve) =>
        signal?.addEventListener('abort', () => resolve(new Response())),
      );
    };
    const away = new AbortController();
    const asked = fetch(rig.url, { signal: away.signal }).catch(() => undefined);
    await until('the request', () => signal !== undefined);
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    for (let round = 0; round < 3; round += 1) {
      collectGarbage();
      await new Promise(setImmediate);
    }
    away.abort();
    await asked;
    await until('the end', () => signal?.aborted === true);
  });

  it('TR15 a body that fails midway is never taken for a complete one', async () => {
    await using rig = await TransportRig.listen(engine);
    rig.fetch = async () => {
      let isFirst = true;
      const body = new ReadableStream({
        async pull(controller) {
          await new Promise((resolve) => setTimeout(resolve, 20));
          if (isFirst) controller.enqueue(Buffer.from('half'));
          else controller.error(new Error('no more'));
          isFirst = false;
        },
      });
      return Promise.resolve(new Response(body));
    };
    await expect(fetch(rig.url).then(async (answer) => answer.text())).rejects.toThrow();
  });
}

/** Waits until a number has not changed for a while. */
async function comesToRest(count: () => number): Promise<void> {
  let before = -1;
  let rests = 0;
  await until('it comes to rest', () => {
    rests = count() === before ? rests + 1 : 0;
    before = count();
    return rests === 30;
  });
}
