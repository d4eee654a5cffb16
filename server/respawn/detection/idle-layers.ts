/**
 * Whether an agent is idle, in layers, the strongest first: what the client itself says, the line
 * that ends a turn, a model's verdict, silence. Each layer has its evidence; visible work overrules
 * all of them. Pure, and imports nothing else at run time.
 */
import type { AgentState, AgentStateName } from '../../../shared/schema/agents/agent-state.ts';
import type { EvidenceWitness } from '../../../shared/schema/events/evidence.ts';
import type { IdleLayerName } from '../../../shared/rules/respawn/respawn-names.ts';
import type { Signs } from './signs.ts';

export interface Layer {
  layer: IdleLayerName;
  /** Null: nothing is known of it. */
  holds: boolean | null;
  /** What it adds to the confidence when it holds. */
  weight: number;
  sinceMs: number | null;
  witness: EvidenceWitness;
  lines: readonly string[];
}

/** As published; the client's own word is enough alone. */
const WEIGHT = { reported: 100, completion: 40, silence: 25, tokens: 20, noWork: 15 } as const;
/**
 * Ours: a screen that shows the prompt brings silence without any other sign over the default minimum
 * when it has lasted as long as it must alone; a model's verdict is as good as the last line.
 */
const SEEN = { screen: 20, verdict: WEIGHT.completion } as const;
/** Silence weighs more with every half minute. */
const GROWTH = { everyMs: 30_000, by: 5, most: 20 } as const;

const WORKING: readonly AgentStateName[] = ['starting', 'working', 'retrying', 'compacting'];
const AT_PROMPT: readonly AgentStateName[] = ['ready', 'errored', 'interrupted'];

/** Its turn is over, however it ended. */
export function isAtPrompt({ state }: AgentState): boolean {
  return AT_PROMPT.includes(state);
}

/** How long nothing may have changed: for output and tokens, and for visible work. */
export interface Thresholds {
  quietMs: number;
  workingAbsenceMs: number;
}

/** At its prompt by the word of the client itself, not only by its screen. */
export function isReportedIdle({ agent, hook }: Pick<Signs, 'agent' | 'hook'>): boolean {
  if (agent === null) return hook !== null;
  const isOnlySeen = agent.witness === 'screen' || agent.witness === 'process';
  return isAtPrompt(agent) && (hook !== null || !isOnlySeen);
}

/** The work that shows now; null without any. It vetoes every layer. */
export function visibleWork(
  signs: Signs,
  nowMs: number,
  workingAbsenceMs: number,
): { reason: 'working' | 'background_work'; lines: string[] } | null {
  const { agent, background, work } = signs;
  if (agent !== null && WORKING.includes(agent.state)) {
    return { reason: 'working', lines: agentLines(agent) };
  }
  const counts = Object.entries(background).filter(([, count]) => count > 0);
  if (counts.length > 0) {
    return { reason: 'background_work', lines: counts.map(([name, count]) => `${count} ${name}`) };
  }
  if (agent?.state === 'background') {
    return { reason: 'background_work', lines: agentLines(agent) };
  }
  const isRecent = work !== null && !work.isOver && nowMs - work.atMs < workingAbsenceMs;
  return isRecent ? { reason: 'working', lines: [work.line] } : null;
}

export function readLayers(signs: Signs, nowMs: number, thresholds: Thresholds): Layer[] {
  const { quietMs, workingAbsenceMs } = thresholds;
  const { agent, hook, completion, verdict, outputAtMs, tokens, work } = signs;
  const silentMs = nowMs - outputAtMs;
  const grown = Math.floor(silentMs / GROWTH.everyMs) * GROWTH.by;
  const vetoed = visibleWork(signs, nowMs, workingAbsenceMs);
  const isReported = isReportedIdle({ agent, hook: null });
  return [
    {
      layer: 'agent_state',
      holds: agent === null ? null : isAtPrompt(agent),
      weight: isReported ? WEIGHT.reported : SEEN.screen,
      sinceMs: null,
      witness: agent?.witness ?? 'process',
      lines: agent === null ? ['no agent seen'] : agentLines(agent),
    },
    {
      layer: 'hooks',
      holds: hook === null ? null : true,
      weight: WEIGHT.reported,
      sinceMs: hook?.atMs ?? null,
      witness: 'hook',
      lines: [hook === null ? 'no hook since the turn began' : `hook: ${hook.kind}`],
    },
    {
      layer: 'completion_line',
      holds: completion === null ? null : true,
      weight: WEIGHT.completion,
      sinceMs: completion?.atMs ?? null,
      witness: 'terminal',
      lines: [completion?.line ?? 'no such line'],
    },
    {
      layer: 'ai_verdict',
      holds: verdict === null ? null : true,
      weight: SEEN.verdict,
      sinceMs: verdict?.atMs ?? null,
      witness: 'daemon',
      lines: [verdict?.reasoning ?? 'not asked since the last output'],
    },
    {
      layer: 'silence',
      holds: silentMs >= quietMs,
      weight: WEIGHT.silence + Math.min(GROWTH.most, grown),
      sinceMs: outputAtMs,
      witness: 'clock',
      lines: [`${Math.floor(silentMs / 1_000)} s without output`],
    },
    {
      layer: 'token_stability',
      holds: tokens === null ? null : nowMs - tokens.sinceMs >= quietMs,
      weight: WEIGHT.tokens,
      sinceMs: tokens?.sinceMs ?? null,
      witness: 'terminal',
      lines: [tokens === null ? 'no count seen' : `${tokens.count.toLocaleString('en-US')} tokens`],
    },
    {
      layer: 'no_work',
      holds: vetoed === null,
      weight: WEIGHT.noWork,
      sinceMs: work?.atMs ?? null,
      witness: vetoed === null ? 'clock' : (agent?.witness ?? 'terminal'),
      lines: vetoed?.lines ?? ['no work visible'],
    },
  ];
}

/** 0 to 100; 0 while work shows. */
export function confidenceOf(layers: readonly Layer[]): number {
  if (layers.some(({ layer, holds }) => layer === 'no_work' && holds === false)) return 0;
  const sum = layers.reduce((total, { holds, weight }) => total + (holds === true ? weight : 0), 0);
  return Math.min(100, sum);
}

function agentLines({ state, cause, detail }: AgentState): string[] {
  const words = cause === 'none' ? state : `${state}: ${cause}`;
  return detail === null ? [words] : [words, detail];
}
