/** What each open session has used for its current work, with the model and context of its agent. */
import type { SessionUsage } from '../../shared/schema/usage/usage.ts';
import type { StatusLine } from '../agents/records/status-line.ts';
import { toIso } from '../lib/clock.ts';
import type { UsageReports } from './usage-report.ts';

/** The current work of a session. */
export interface CurrentWork {
  session: string;
  subject: 'loop' | 'session';
  /** Wall time in milliseconds. */
  sinceMs: number;
}

export class SessionUsages {
  readonly #reports: UsageReports;
  readonly #lines = new Map<string, StatusLine>();

  constructor(reports: UsageReports) {
    this.#reports = reports;
  }

  seen(session: string, line: StatusLine): void {
    this.#lines.set(session, line);
  }

  /** No agent is there any more. */
  ended(session: string): void {
    this.#lines.delete(session);
  }

  of({ session, subject, sinceMs }: CurrentWork): SessionUsage {
    const line = this.#lines.get(session);
    const readAtMs = line?.writtenAtMs ?? null;
    return {
      session,
      subject,
      model: line?.model ?? null,
      context_percent: line?.contextUsedPercent ?? null,
      read_at: readAtMs === null ? null : toIso(readAtMs),
      ...this.#reports.since({ kind: subject, id: session }, sinceMs),
    };
  }
}
