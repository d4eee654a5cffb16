/**
 * What a message instructs the stand-in to do: lines `stand-in: [in <phase>] [turn N] <step>`, where
 * `handover` stands for a conversation that takes an earlier one over.
 * Pure.
 */
import { runPhaseOf } from './run-phase.ts';

export type Step =
  | { do: 'write'; file: string; text: string }
  | { do: 'commit' | 'say' | 'ask'; text: string }
  /** A verdict of a review, `pass`, `fail` or `none`, and what it found. */
  | { do: 'review'; text: string }
  | { do: 'tool'; name: string; input: unknown }
  | { do: 'deny'; tool: string }
  | {
      do: (typeof WITH_AMOUNT)[number];
      amount: number;
    }
  | {
      do: (typeof PLAIN)[number];
    };

const LINE =
  /^\s*stand-in: +(?:in (plan|execute|review|fix|handover) +)?(?:turn (\d+) +)?(\S+) ?(.*)$/;
const HANDOVER = /^This task continues in a new conversation\./m;
const WITH_AMOUNT = [
  'wait',
  'background',
  'huge',
  'stderr',
  'crash',
  'limit',
  'cost',
  'tokens',
  /** How full its context is from now on, in percent. */
  'context',
] as const;
const PLAIN = [
  'hang',
  'hang-after-result',
  'cut',
  'overload',
  /** Of the API, and of no kind that is known. */
  'odd-error',
  'auth-error',
  'spawn',
  'deaf',
  /** Of the whole conversation: `/compact` gains nothing. */
  'compact-fails',
] as const;

/**
 * The steps of turn `turn`, counted from 1. A line without a number belongs to the turn of its
 * message, one with a phase only to a conversation that opened in it. Throws for a line that is no
 * step: a wrong test must not pass.
 */
export function stepsOf(first: string, current: string, turn: number): Step[] {
  const phase = runPhaseOf(first);
  const isHandover = HANDOVER.test(first);
  const isHere = (line: Directive) =>
    line.phase === 'handover' ? isHandover : line.phase === null || line.phase === phase;
  const steps = linesOf(current)
    .filter((line) => isHere(line) && (line.of === null || line.of === turn))
    .map(stepOf);
  if (turn === 1) return steps;
  const planned = linesOf(first)
    .filter((line) => isHere(line) && line.of === turn)
    .map(stepOf);
  return [...planned, ...steps];
}

interface Directive {
  phase: string | null;
  of: number | null;
  verb: string;
  rest: string;
}

/** Verdicts are for the judge, not for the agent that works. */
function linesOf(message: string): Directive[] {
  return message
    .split('\n')
    .map((line) => LINE.exec(line))
    .filter((match) => match !== null)
    .map(([, phase = null, of, verb = '', rest = '']) => ({
      phase,
      of: of === undefined ? null : Number(of),
      verb,
      rest,
    }))
    .filter(({ verb }) => verb !== 'verdict');
}

function stepOf({ verb, rest }: Directive): Step {
  const amountOf = WITH_AMOUNT.find((name) => name === verb);
  if (amountOf !== undefined) {
    const amount = Number(rest);
    if (rest.trim() === '' || !Number.isFinite(amount)) throw wrong(verb, rest);
    return { do: amountOf, amount };
  }
  const plain = PLAIN.find((name) => name === verb);
  if (plain !== undefined) return { do: plain };
  const [head, tail] = splitOnce(rest);
  switch (verb) {
    case 'write':
      return { do: 'write', file: head, text: unescaped(tail) };
    case 'say':
    case 'ask':
    case 'commit':
    case 'review':
      return { do: verb, text: unescaped(rest) };
    case 'tool':
      return { do: 'tool', name: head, input: jsonOrText(tail) };
    case 'deny':
      return { do: 'deny', tool: head };
    default:
      throw wrong(verb, rest);
  }
}

function wrong(verb: string, rest: string): Error {
  return new Error(`the stand-in knows no step "${verb} ${rest}"`);
}

function splitOnce(text: string): [string, string] {
  const at = text.indexOf(' ');
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function unescaped(text: string): string {
  return text.replaceAll('\\n', '\n');
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { input: text };
  }
}
