import { readFileSync } from 'node:fs';

/** What a daemon uses as it works, for people to read; no test judges it. */
export class Figures {
  readonly lines: string[] = [];
  #since = performance.now();

  /** Notes the time since the previous note, and the memory and processor time of a process. */
  note(what: string, pid: number, more: object = {}): void {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    const rssMb = Math.round(Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024);
    const seconds = ((performance.now() - this.#since) / 1000).toFixed(1);
    this.#since = performance.now();
    const facts = JSON.stringify(more);
    this.lines.push(`${what}: ${seconds} s, ${rssMb} MB, ${ticks / 100} s of processor, ${facts}`);
  }
}
