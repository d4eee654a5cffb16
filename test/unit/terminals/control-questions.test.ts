import { describe, expect, it } from 'vitest';
import { ControlQuestions } from '../../../server/terminals/control-questions.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';

const ATTACHED = { kind: 'reply', ok: true, asked: false, text: '' } as const;

class Client {
  readonly clock = new ManualClock();
  readonly written: string[] = [];
  overdue = 0;
  readonly questions = new ControlQuestions({
    clock: this.clock,
    write: (text) => this.written.push(text),
    overdue: () => (this.overdue += 1),
  });

  async ask(word: string, replies: string[] = []): Promise<string> {
    return this.questions.ask([[word]], (text) => replies.push(text));
  }

  /** Answers the next question that was written with these texts. */
  answer(...texts: { ok: boolean; text: string }[]): void {
    const mark = /end-\w+/.exec(this.written.shift() ?? '')?.[0] ?? 'nothing was written';
    for (const reply of [...texts, { ok: true, text: mark }]) {
      this.questions.handleReply({ kind: 'reply', asked: true, ...reply });
    }
  }
}

describe('control questions', () => {
  it('SE9 asks nothing before tmux attached the client, whose reply answers nothing', async () => {
    const client = new Client();
    const answers = [client.ask('one'), client.ask('two')];
    expect(client.written).toEqual([]);
    client.questions.handleReply({ ...ATTACHED, ok: false, text: 'no session' });
    expect(client.written).toEqual([]);
    client.questions.handleReply(ATTACHED);
    expect(client.written.map((text) => text.split('\n')[0])).toEqual(['one', 'two']);
    client.answer({ ok: true, text: 'first' });
    client.questions.handleReply(ATTACHED);
    client.answer({ ok: true, text: 'second' }, { ok: true, text: '' });
    expect(await Promise.all(answers)).toEqual(['first\n', 'second\n\n']);
    void client.ask('three');
    expect(client.written).toHaveLength(1);
  });

  it('SE9 gives an answer at its position in the output, and reports errors of tmux', async () => {
    const client = new Client();
    client.questions.handleReply(ATTACHED);
    const replies: string[] = [];
    const good = client.ask('one', replies);
    const bad = client.ask('two', replies);
    client.answer({ ok: true, text: 'first' });
    expect(replies).toEqual(['first\n']);
    client.answer({ ok: false, text: 'no such pane' });
    expect(await good).toBe('first\n');
    await expect(bad).rejects.toThrow('no such pane');
    expect(replies).toHaveLength(1);
    expect(client.questions.open).toBe(false);
    client.questions.noteActivity();
    expect(client.clock.pending).toBe(0);
  });

  it('SE9 flushes a silent client without taking its reply for an answer', async () => {
    const client = new Client();
    client.questions.flush();
    expect(client.written).toEqual([]);
    client.questions.handleReply(ATTACHED);
    const answer = client.ask('one');
    client.questions.flush();
    const text = client.written.pop()?.trim().split(' ').at(-1) ?? '';
    client.questions.handleReply({ kind: 'reply', ok: true, asked: true, text });
    client.answer({ ok: true, text: 'first' });
    expect(await answer).toBe('first\n');
    client.questions.flush();
    expect(client.questions.owed).toBe(true);
    client.questions.handleReply({ kind: 'reply', ok: true, asked: true, text });
    expect(client.questions.owed).toBe(false);
  });

  it('SE9 waits for an answer while the client talks, and for 5 s of silence', async () => {
    const client = new Client();
    const answer = client.ask('one');
    client.clock.advance(4_999);
    client.questions.noteActivity();
    client.clock.advance(3_000);
    void client.ask('two').catch(() => undefined);
    client.clock.advance(1_999);
    expect(client.overdue).toBe(0);
    client.clock.advance(1);
    expect(client.overdue).toBe(1);
    expect(client.questions.open).toBe(true);
    client.questions.end();
    await expect(answer).rejects.toThrow('tmux exited');
    expect(client.questions.open).toBe(false);
  });
});
