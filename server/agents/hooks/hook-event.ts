/** Parses a hook payload of a client, reduced to what matters here. */
import { z } from 'zod';
import { boundedText } from '../bounded-text.ts';
import { errorCause, type ErrorCause, type LimitLine, readLimitLine } from '../failure-patterns.ts';

const Name = boundedText(200);
const MAX_TEXT = 4_000;
const Text = boundedText(MAX_TEXT);
const OptionalText = Text.nullish()
  .transform((text) => text ?? null)
  .catch(null);
/** Of a message its end says how it ended. */
const OptionalEnd = z
  .string()
  .transform((text) => text.slice(-MAX_TEXT))
  .nullish()
  .transform((text) => text ?? null)
  .catch(null);
const OptionalName = Name.nullish()
  .transform((name) => name ?? null)
  .catch(null);

const BackgroundTask = z
  .object({ id: Name, type: Name, description: OptionalText })
  .transform(({ id, type, description }) => ({ id, type, description }));
const BackgroundTasks = z.array(z.unknown()).max(1_000).catch([]).transform(known(BackgroundTask));

const Question = z.object({
  question: Text,
  header: OptionalText,
  multiSelect: z.boolean().catch(false),
  options: z
    .array(z.object({ label: Text, description: OptionalText }))
    .max(50)
    .catch([]),
});

export type Question = z.infer<typeof Question>;

const Questions = z.object({ questions: z.array(z.unknown()).max(50).transform(known(Question)) });
const Values = z.record(z.string(), z.unknown()).catch({});

const SCHEMAS = {
  SessionStart: z
    .object({ source: OptionalName })
    .transform(({ source }) => ({ kind: 'session_start' as const, source })),
  SessionEnd: z
    .object({ reason: OptionalName })
    .transform(({ reason }) => ({ kind: 'session_end' as const, reason })),
  UserPromptSubmit: z
    .object({ prompt: OptionalText })
    .transform(({ prompt }) => ({ kind: 'prompt' as const, text: prompt })),
  /** A slash command: the client sends no UserPromptSubmit for it. */
  UserPromptExpansion: z
    .object({ prompt: OptionalText })
    .transform(({ prompt }) => ({ kind: 'prompt' as const, text: prompt })),
  Stop: z
    .object({ background_tasks: BackgroundTasks, last_assistant_message: OptionalEnd })
    .transform((stop) => ({
      kind: 'stop' as const,
      backgroundTasks: stop.background_tasks,
      text: stop.last_assistant_message,
    })),
  StopFailure: z
    .object({
      error: OptionalName,
      error_details: OptionalText,
      last_assistant_message: OptionalText,
    })
    .transform(failure),
  Notification: z
    .object({ notification_type: OptionalName, message: OptionalText })
    .transform((note) => ({
      kind: 'notification' as const,
      type: note.notification_type,
      text: note.message,
    })),
  PermissionRequest: z
    .object({ tool_name: Name, tool_input: Values })
    .transform(({ tool_name, tool_input }) => ({
      kind: 'permission_request' as const,
      tool: tool_name,
      // Complete: an allowed input goes back to the client unchanged.
      input: tool_input,
      questions: Questions.safeParse(tool_input).data?.questions ?? [],
    })),
  PreCompact: z
    .object({ trigger: OptionalName })
    .transform(({ trigger }) => ({ kind: 'compact_start' as const, trigger })),
  PostCompact: z
    .object({ trigger: OptionalName })
    .transform(({ trigger }) => ({ kind: 'compact_end' as const, trigger })),
  SubagentStart: z.object({ agent_id: Name, agent_type: OptionalName }).transform((agent) => ({
    kind: 'subagent_start' as const,
    id: agent.agent_id,
    type: agent.agent_type,
  })),
  SubagentStop: z.object({ agent_id: Name, agent_type: OptionalName }).transform((agent) => ({
    kind: 'subagent_stop' as const,
    id: agent.agent_id,
    type: agent.agent_type,
  })),
};

type Parsed = z.infer<(typeof SCHEMAS)[keyof typeof SCHEMAS]>;

export type HookEvent = Parsed & { sessionId: string | null };

const Envelope = z.object({ hook_event_name: z.string().max(100), session_id: OptionalName });

/** Null for an unknown event and for an invalid payload. Drops unknown keys, cuts long texts. */
export function parseHookEvent(payload: unknown): HookEvent | null {
  const envelope = Envelope.safeParse(payload);
  if (!envelope.success) return null;
  const name = envelope.data.hook_event_name;
  if (!Object.hasOwn(SCHEMAS, name)) return null;
  const parsed = SCHEMAS[name as keyof typeof SCHEMAS].safeParse(payload);
  return parsed.success ? { ...parsed.data, sessionId: envelope.data.session_id } : null;
}

interface Failure {
  kind: 'stop_failure';
  cause: ErrorCause;
  text: string | null;
  /** A usage limit, found in its text. */
  limit: LimitLine | null;
}

function failure(payload: {
  error: string | null;
  error_details: string | null;
  last_assistant_message: string | null;
}): Failure {
  const text = payload.last_assistant_message;
  const full = `${text ?? ''} ${payload.error_details ?? ''}`;
  const byName =
    payload.error === null || payload.error === 'unknown'
      ? 'other_error'
      : errorCause(payload.error);
  const byText = errorCause(full);
  // The name is coarse: server_error is also used for an overload, invalid_request for a long
  // prompt.
  const cause = byText === 'other_error' ? byName : byText;
  return { kind: 'stop_failure', cause, text, limit: text === null ? null : readLimitLine(text) };
}

/** Keeps the entries that match the schema. */
function known<Schema extends z.ZodType>(
  schema: Schema,
): (entries: readonly unknown[]) => z.infer<Schema>[] {
  return (entries) =>
    entries.flatMap((entry) => {
      const parsed = schema.safeParse(entry);
      return parsed.success ? [parsed.data] : [];
    });
}
