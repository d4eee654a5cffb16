/** The process of all simulated hosts, started with the address of the server and a directory. */
import { setTimeout as pause } from 'node:timers/promises';
import { answerAsks } from '../rig/bench-child.ts';
import { identityOf } from '../rig/nats.ts';
import { SimulatedHost } from './simulated-host.ts';

export type HostsAsk =
  /** Answers the names of the hosts. */
  | { ask: 'open'; hosts: number }
  /** Events over all hosts and their sessions, one at a time. */
  | { ask: 'pace'; sessions: number; perSecond: number; count: number }
  /** A host comes back that wrote so much alone; answers the milliseconds until all is copied. */
  | { ask: 'return'; events: number };

const BATCH = 1_000;

const [url = '', root = ''] = process.argv.slice(2);
const hosts: SimulatedHost[] = [];

answerAsks(async (asked) => {
  const ask = asked as HostsAsk;
  switch (ask.ask) {
    case 'open': {
      const identities = Array.from({ length: ask.hosts }, (_, n) => identityOf(n + 1));
      for (const identity of identities) {
        const host = new SimulatedHost(identity, root);
        await host.join(url);
        hosts.push(host);
      }
      return identities.map(({ name }) => name);
    }
    case 'pace': {
      const beganAt = performance.now();
      for (let sent = 0; sent < ask.count; sent += 1) {
        const dueMs = beganAt + (sent * 1_000) / ask.perSecond - performance.now();
        if (dueMs > 0) await pause(dueMs);
        hosts[sent % hosts.length]?.write(ask.sessions);
      }
      return null;
    }
    case 'return': {
      const host = new SimulatedHost(identityOf(hosts.length + 1), root);
      hosts.push(host);
      for (let written = 0; written < ask.events; written += BATCH) host.writeMany(BATCH, 1);
      const beganAt = performance.now();
      await host.join(url);
      while (!(await host.isCopied())) await pause(20);
      return performance.now() - beganAt;
    }
  }
});
