/** Sees the state of a daemon in its database, so that looking costs the daemon nothing. */
import Sqlite from 'better-sqlite3';

export interface Seen {
  /** Of the newest event. */
  head: number;
  /** Tasks with a turn. */
  turns: number;
  /** `signalMark`: of the last signal file that was read. */
  loops: { status: string; taskDir: string; waitsFor: string | null; signalMark: string }[];
  /** Not acknowledged; `dueMs`: when its next step begins, wall time. */
  incidents: { id: string; step: number; dueMs: number | null }[];
  /** Open questions of tasks. */
  questions: { id: string; task: string }[];
}

export class Spectator {
  readonly #raw: Sqlite.Database;

  constructor(file: string) {
    this.#raw = new Sqlite(file, { readonly: true });
  }

  look(): Seen {
    const { head, turns } = this.#raw
      .prepare(
        `SELECT (SELECT coalesce(max(seq), 0) FROM events) AS head,
           (SELECT count(*) FROM tasks WHERE status IN ('RUNNING', 'TESTING')) AS turns`,
      )
      .get() as Pick<Seen, 'head' | 'turns'>;
    const loops = this.#raw
      .prepare(
        `SELECT status, task_dir AS taskDir,
           json_extract(state, '$.wait.reason') AS waitsFor,
           json_extract(state, '$.signalMark') AS signalMark FROM task_auto`,
      )
      .all() as Seen['loops'];
    const incidents = this.#raw
      .prepare(
        'SELECT id, step, due_ms AS dueMs FROM alert_incidents WHERE acknowledged_at IS NULL',
      )
      .all() as Seen['incidents'];
    const questions = this.#raw
      .prepare(
        `SELECT id, subject_id AS task FROM attention
         WHERE cleared_at IS NULL AND reason = 'question' AND subject_kind = 'task'`,
      )
      .all() as Seen['questions'];
    return { head, turns, loops, incidents, questions };
  }

  [Symbol.dispose](): void {
    this.#raw.close();
  }
}
