/** What an event, an alert or an inbox item is about. */
import { z } from 'zod';

export const SUBJECT_KINDS = [
  'session',
  'loop',
  'task',
  'run',
  'respawn',
  'found',
  'module',
  'person',
  'alert',
  'host',
  'daemon',
] as const;

/** A session and its loop share an id. A person's id does not change with the name. */
export const Subject = z.object({ kind: z.enum(SUBJECT_KINDS), id: z.string() });
export type Subject = z.infer<typeof Subject>;

const REF = new RegExp(`^(${SUBJECT_KINDS.join('|')}):[\\w.-]{1,200}$`);

/** A subject as text: `task:fix-login`. */
export const SubjectRef = z
  .string()
  .max(220)
  .regex(REF, {
    message: `must be kind:id, e.g. task:fix-login; kinds: ${SUBJECT_KINDS.join(', ')}`,
  });

export function subjectRef({ kind, id }: Subject): string {
  return `${kind}:${id}`;
}

/** Null for anything but a subject. */
export function readSubject(ref: string): Subject | null {
  const [, kind] = REF.exec(ref) ?? [];
  return kind === undefined ? null : Subject.parse({ kind, id: ref.slice(kind.length + 1) });
}

export function sessionSubject(id: string): Subject {
  return { kind: 'session', id };
}
