/** The binding that needs more than a secret. */
import { expect, it } from 'vitest';
import { World } from '../../support/daemon/world.ts';

it.each(['0.0.0.0', '::', '192.168.1.1', 'example.com'])(
  'GA8, CL1 with HOST=%s and no proxy named the daemon refuses to start',
  async (host) => {
    await using world = new World({ HOST: host });
    const { code, stdout, stderr } = await world.cli('start');
    expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
    expect(stderr).toContain('LOOPWATCH_BEHIND_PROXY');
  },
);

it.each(['https://loopwatch.example', 'loopwatch.example/watch'])(
  'GA13, CL1, CL20 with LOOPWATCH_HOSTS=%s the daemon refuses to start',
  async (hosts) => {
    await using world = new World({ LOOPWATCH_HOSTS: hosts });
    const { code, stdout, stderr } = await world.cli('start');
    expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
    expect(stderr).toContain('without a path');
  },
);
