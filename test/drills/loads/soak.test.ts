/** A daemon at work for hours does not grow: eight hours of load in one, then an hour as it is. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../../server/lib/package-root.ts';
import { VOLUME } from '../../support/house/random.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';

const PROGRAM = join(packageRoot(), 'dist/test/stress/soak/main.js');
const HOUR_MS = 3_600_000;

/** In the short one nothing can be said of growth, but every reader hears every event. */
const SOAKS: Readonly<Record<string, readonly string[]>> =
  VOLUME === 'long'
    ? {
        'eight hours of load in one': ['--minutes', '60', '--warm-up', '15', '--faster', '8'],
        'an hour': ['--minutes', '60', '--warm-up', '15'],
      }
    : { 'a minute': ['--minutes', '1', '--warm-up', '0', '--loops', '4', '--faster', '8'] };

it.each(Object.entries(SOAKS))(
  'UL11 a daemon at work keeps its memory, descriptors, log and pace: %s',
  async (_, words) => {
    const child = spawn(process.execPath, [PROGRAM, ...words], {
      env: { ...process.env, TMPDIR: TEST_ROOT },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (text: Buffer) => (output += text.toString()));
    const [code] = (await once(child, 'close')) as [number];
    const minutes = output.split('\n').filter((line) => line.startsWith('minute '));
    const last = /head (\d+), heard (\d+), gaps (\d+)/.exec(minutes.at(-1) ?? '');
    expect({ code, gaps: last?.[3], isBroken: output.includes('BROKEN') }, output).toEqual({
      code: 0,
      gaps: '0',
      isBroken: false,
    });
    expect(Number(last?.[2])).toBeGreaterThan(0);
  },
  2 * HOUR_MS,
);
