/** Plays what a client does in a session, step by step, and reads each state as for a session. */
import { agentGroup } from '../../../shared/schema/agents/agent-state.ts';
import type { ClientTestStep } from '../../../shared/schema/agents/client-versions.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ForegroundAgent, ProbedForeground } from '../../sessions/typing/may-type.ts';
import type { AgentWatch } from '../../sessions/watching/agent-watch.ts';
import type { TerminalHost, TerminalIdentity } from '../../terminals/terminal.ts';

const DRAFT = 'A test of this client.';
const PROBE_EVERY_MS = 250;
/** The first start of a version unpacks it. */
const START_MS = 60_000;
/** A program that the shell finds is in the foreground long before. */
const FOUND_MS = 5_000;
const STEP_MS = 15_000;

export interface ClientStage {
  host: TerminalHost;
  name: string;
  identity: TerminalIdentity;
  watch: AgentWatch;
  /** What starts the client in the shell. */
  line: string;
  clock: Clock;
  /** Rejects the play. */
  signal: AbortSignal;
}

/** Until the first step that is not read as it should be; `version`: of the client's own record. */
export async function playClient(
  stage: ClientStage,
): Promise<{ version: string | null; steps: ClientTestStep[] }> {
  const { host, name, identity, watch, line } = stage;
  const type = async (text: string, submit: boolean, clearLine = false) =>
    host.type(name, identity, { text, submit, clearLine });
  const isAgent = (is: (agent: ForegroundAgent) => boolean) => (front: ProbedForeground) =>
    front.kind === 'agent' && is(front);
  const steps: ClientTestStep[] = [];
  let version: string | null = null;

  await until(stage, START_MS, (front) => front.kind === 'shell');
  const plan: [
    step: ClientTestStep['step'],
    act: () => Promise<unknown>,
    isSeen: (front: ProbedForeground) => boolean,
  ][] = [
    [
      'start',
      async () => type(line, true),
      isAgent(({ state, box }) => state === 'ready' && box === 'empty'),
    ],
    [
      'record',
      async () => Promise.resolve(),
      () => (version = watch.details.clientVersion) !== null,
    ],
    [
      'draft',
      async () => type(DRAFT, false),
      isAgent(({ box, draft }) => box === 'draft' && draft === DRAFT),
    ],
    ['work', async () => type('', true), isAgent(({ state }) => agentGroup(state) === 'working')],
    [
      'stop',
      async () => host.press(name, identity, 'escape'),
      isAgent(({ state }) => agentGroup(state) === 'idle'),
    ],
    [
      'leave',
      async () => {
        // Stopped early, the client takes the prompt back into its box.
        await type('/exit', false, true);
        await until(
          stage,
          STEP_MS,
          isAgent(({ draft }) => draft === '/exit'),
        );
        await type('', true);
      },
      (front) => front.kind === 'shell',
    ],
  ];
  for (const [step, act, isSeen] of plan) {
    await act();
    const seen = await until(stage, step === 'start' ? START_MS : STEP_MS, isSeen);
    steps.push({ step, ok: seen === null, detail: seen });
    if (seen !== null) break;
  }
  return { version, steps };
}

/** Null once it is seen; else what was seen last. */
async function until(
  { watch, clock, signal }: ClientStage,
  withinMs: number,
  isSeen: (front: ProbedForeground) => boolean,
): Promise<string | null> {
  const sinceMs = clock.monotonic();
  let hasStarted = false;
  for (;;) {
    const front = await watch.foreground();
    if (isSeen(front)) return null;
    const waitedMs = clock.monotonic() - sinceMs;
    const hasEnded = front.kind === 'shell' && (hasStarted || waitedMs >= FOUND_MS);
    if (hasEnded || waitedMs >= withinMs) return described(front);
    hasStarted ||= front.kind !== 'shell';
    await clock.sleep(PROBE_EVERY_MS, signal);
  }
}

function described(front: ProbedForeground): string {
  if (front.kind === 'shell') return 'it has ended, or was not found';
  if (front.kind !== 'agent') return front.kind === 'gone' ? 'its terminal has ended' : 'no client';
  return `${front.state}, its prompt box: ${front.box}`;
}
