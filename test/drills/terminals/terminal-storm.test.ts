/** tmux 3.3a crashes when clients come and go at the wrong moment: ours never cause that. */
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../server/lib/clock.ts';
import { commandLine, isAlive } from '../../../server/lib/processes/process-identity.ts';
import type { TerminalIdentity } from '../../../server/terminals/terminal.ts';
import { createTmuxHost } from '../../../server/terminals/tmux-host.ts';
import { type Random, seeded, sized } from '../../support/house/random.ts';
import { RecordedTap, TerminalRig } from '../../support/terminals/terminal-rig.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';
import { until } from '../../support/house/until.ts';

const CYCLES = sized({ short: 8, middle: 48, long: 300 });
const AT_ONCE = 4;

/** Pids of the control clients on sockets in a directory. */
function controlClients(sockets: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    const command = commandLine(Number(pid));
    return command.includes(sockets) && command.includes('\0-C\0');
  });
}

describe('terminal storm tmux', () => {
  let rig: TerminalRig;
  let clock: ManualClock | null;

  beforeEach(() => {
    clock = null;
    rig = new TerminalRig(({ directory, environment }) =>
      createTmuxHost({
        socketDirectory: join(directory, 'sockets'),
        environment,
        clock: clock ?? systemClock,
      }),
    );
  });

  afterEach(async () => {
    await rig.end();
  });

  function serverLives({ hostPid: pid, hostStartedAt: startedAt }: TerminalIdentity): boolean {
    return isAlive({ pid, startedAt });
  }

  /** A person's own client on the session's server, which leaves on request. */
  function attach(name: string) {
    const command = `tmux -S ${join(rig.directory, 'sockets', name)} -f /dev/null attach`;
    const environment = { ...process.env, TERM: 'xterm' };
    return spawn('script', ['-qfc', command, '/dev/null'], {
      stdio: ['pipe', 'ignore', 'ignore'],
      env: environment,
    });
  }

  async function foreground(
    random: Random,
    name: string,
    identity: TerminalIdentity,
  ): Promise<void> {
    await systemClock.sleep(random.int(0, 15));
    // The shell may have ended before.
    const tap = await rig.host.tap(name, identity, new RecordedTap()).catch(() => null);
    await systemClock.sleep(random.int(0, 15));
    await tap?.snapshot().catch(() => null);
    if (random.chance(0.5)) tap?.close();
  }

  /** Taps and releases at random moments around the end of the shell. */
  async function tapDuringExit(random: Random, name: string): Promise<TerminalIdentity> {
    const identity = await rig.open(name);
    const exit = async () => {
      await systemClock.sleep(random.int(0, 40));
      await rig.host.type(name, identity, { text: 'exit', submit: true });
    };
    const taps = [1, 2, 3].map(async () => foreground(random, name, identity));
    await Promise.all([...taps, exit()]);
    await until('the shell to end', () => rig.host.foreground(identity).kind !== 'shell');
    return identity;
  }

  /** The same while a person attaches before or during a tap, and detaches. */
  async function tapDuringDetach(random: Random, name: string): Promise<TerminalIdentity> {
    const identity = await rig.open(name);
    const early = random.chance(0.5) ? attach(name) : null;
    if (early !== null) await systemClock.sleep(random.int(20, 80));
    // Not the start of the client during the detach: that is the one crash that cannot be prevented.
    const first = await rig.host.tap(name, identity, new RecordedTap());
    const person = early ?? attach(name);
    const left = new Promise((resolve) => person.once('close', resolve));
    const detach = async () => {
      await systemClock.sleep(random.int(0, 60));
      // The prefix of tmux, then its key for detaching.
      person.stdin.write('\x02d');
    };
    await Promise.all([
      detach(),
      foreground(random, name, identity),
      foreground(random, name, identity),
    ]);
    first.close();
    await systemClock.sleep(random.int(0, 15));
    person.kill();
    await left;
    return identity;
  }

  it(`SE11 no server is lost over ${CYCLES} cycles of attach, detach, exit and watch`, async () => {
    await seeded(async (random) => {
      let survived = 0;
      const cycle = async (name: string, exits: boolean) => {
        const identity = await (exits ? tapDuringExit : tapDuringDetach)(random, name);
        expect(rig.host.foreground(identity).kind).toBe(exits ? 'closed' : 'shell');
        expect(serverLives(identity)).toBe(true);
        await rig.host.close(name);
        survived += 1;
      };
      for (let count = 0; count < CYCLES; count += AT_ONCE) {
        const names = Array.from({ length: AT_ONCE }, (_, index) => `s${count + index}`);
        await Promise.all(names.map(async (name, index) => cycle(name, index % 2 === 0)));
      }
      expect(survived).toBe(CYCLES);
    });
  });

  it('SE11 no server is lost when a host ends clients that just started', async () => {
    await seeded(async (random) => {
      const identity = await rig.open();
      for (let count = 0; count < CYCLES; count += 1) {
        const host = rig.create();
        const joined = host.tap('web', identity, new RecordedTap());
        await systemClock.sleep(random.int(0, 5));
        await host.dispose();
        await joined.catch(() => null);
        await host.dispose();
      }
      expect(serverLives(identity)).toBe(true);
    });
  });

  it('SE11 a client stays for ten seconds after the last viewer, and is shared', async () => {
    clock = new ManualClock();
    rig.host = rig.create();
    const identity = await rig.open();
    const clients = () => controlClients(join(rig.directory, 'sockets')).length;
    const first = await rig.host.tap('web', identity, new RecordedTap());
    const second = await rig.host.tap('web', identity, new RecordedTap());
    expect(clients()).toBe(1);
    first.close();
    second.close();
    second.close();
    clock.advance(9_999);
    const third = await rig.host.tap('web', identity, new RecordedTap());
    clock.advance(60_000);
    expect(clients()).toBe(1);
    third.close();
    clock.advance(10_000);
    await until('the client to leave', () => clients() === 0);
    expect(serverLives(identity)).toBe(true);
    // Ending the terminal waits by the clock of its host.
    clock = null;
    rig.host = rig.create();
  });

  it('SE11 SE19 the end is reported when the server crashes, and the terminal is lost', async () => {
    const identity = await rig.open();
    const heard = new RecordedTap();
    const tap = await rig.host.tap('web', identity, heard);
    process.kill(identity.hostPid, 'SIGKILL');
    await until('the end', () => heard.ends === 1);
    await until('the shell to end', () => rig.host.foreground(identity).kind === 'lost');
    await expect(tap.snapshot()).rejects.toThrow('tmux exited');
    tap.write(Buffer.from('x'));
    tap.close();
    const again = await rig.open();
    expect(again.hostPid).not.toBe(identity.hostPid);
  });
});
