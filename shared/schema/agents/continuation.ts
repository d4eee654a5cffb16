/** Whether a found session can be continued in a session of Loopwatch, and the request to do so. */
import { z } from 'zod';
import { SessionName } from '../session-name.ts';

/** Why it cannot be continued. Closed, so that scripts can rely on it. */
export const ContinueBlock = z.enum([
  'working',
  'waiting',
  /** What it does cannot be determined. */
  'unclear',
  /** It runs outside of the background: only a person can end it. */
  'open',
  /** It runs in the background, and the installed client cannot end it there. */
  'no_stop',
  /** Another client has the conversation open. */
  'in_use',
  /** Its record names no conversation, or there is no transcript of it. */
  'conversation_unknown',
  /** Clients in sessions of Loopwatch use another configuration directory. */
  'other_configuration',
  /** Of another client than Claude Code: only shown. */
  'other_client',
  'directory_gone',
  'outside_roots',
]);
export type ContinueBlock = z.infer<typeof ContinueBlock>;

export const Continuation = z.object({
  conversation: z.string().nullable(),
  cwd: z.string(),
  /** Null: it can be continued. */
  blocked: ContinueBlock.nullable(),
  why: z.string().nullable(),
  /** It still runs in the background: to continue it ends it there first. */
  needs_stop: z.boolean(),
  /** The session of Loopwatch that has the conversation open. */
  session: SessionName.nullable(),
  /** Why `claude attach` cannot show it; null: it can. */
  no_attach: z.string().nullable(),
});
export type Continuation = z.infer<typeof Continuation>;

/**
 * `resume`: its conversation, once it has ended. `stop`: the same, after `claude stop` has ended it
 * in the background. `attach`: shows it where it runs in the background.
 */
export const ContinueHow = z.enum(['resume', 'stop', 'attach']);

export const ContinueFound = z
  .strictObject({
    /** Of the new session. Omitted: the name of the directory. */
    name: SessionName.optional(),
    how: ContinueHow.default('resume'),
  })
  .default({ how: 'resume' });
export type ContinueFound = z.infer<typeof ContinueFound>;
