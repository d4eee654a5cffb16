/** Commands through other hosts, each with an effect that can be counted, never sent twice. */
import { expect } from 'vitest';
import type { FleetProcess } from './fleet-process.ts';

interface Sent {
  title: string;
  to: FleetProcess;
  /** Null: no answer came. */
  answer: { status: number; code: string | null } | null;
}

/** The host refused it, or was not asked at all: nothing may have been done. */
const NOT_DONE = ['host_unreachable', 'host_unknown', 'storage_full', 'storage_failed'];

export class FleetCommands {
  /** Of answers, for the person who reads the figures. */
  readonly answers = new Map<string, number>();
  readonly #round: () => number;
  readonly #sent: Sent[] = [];
  readonly #pending: Promise<void>[] = [];

  /** `round` is part of each title, so that those of one round are found by it. */
  constructor(round: () => number) {
    this.#round = round;
  }

  send(from: FleetProcess, to: FleetProcess): void {
    const title = `round ${this.#round()}. command ${this.#sent.length}`;
    const sent: Sent = { title, to, answer: null };
    this.#sent.push(sent);
    const deliver = async () => {
      const body = { title, content: 'counted' };
      const { status, body: answer } = await from.asks(to).send('POST', '/api/v1/prompts', body);
      sent.answer = { status, code: answer.error?.code ?? null };
    };
    // A host that died while it was asked: the outcome is not known.
    this.#pending.push(deliver().catch(() => undefined));
  }

  /** All have an answer or none will come: each was done at most once, as its answer says. */
  async expectOnce(): Promise<void> {
    await Promise.all(this.#pending.splice(0));
    for (const to of new Set(this.#sent.map((sent) => sent.to))) {
      const { body } = await to
        .asks(to)
        .get(`/api/v1/prompts?limit=1000&search=round ${this.#round()}.`);
      const titles = (body as unknown as { title: string }[]).map(({ title }) => title);
      for (const { title, answer } of this.#sent.filter((sent) => sent.to === to)) {
        const times = titles.filter((each) => each === title).length;
        const said = answer === null ? 'no answer' : `${answer.status} ${answer.code ?? ''}`.trim();
        this.answers.set(said, (this.answers.get(said) ?? 0) + 1);
        expect(allowed(answer), `${title} to ${to.name}: ${said}`).toContain(times);
      }
    }
    this.#sent.length = 0;
  }
}

/** How often a command with that answer may have been done; none for an answer that no one may get. */
function allowed(answer: Sent['answer']): number[] {
  if (answer === null || answer.code === 'outcome_unknown') return [0, 1];
  if (answer.status === 201) return [1];
  return NOT_DONE.includes(answer.code ?? '') ? [0] : [];
}
