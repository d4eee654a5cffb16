/** What is seen of the agent becomes signs, and the newest of them a trigger. */
import { isAtPrompt, isReportedIdle, visibleWork } from '../detection/idle-layers.ts';
import { dropCheck } from './checks.ts';
import { fire } from './fire.ts';
import { awaitPlan } from './plan.ts';
import { noteLimit } from './quota.ts';
import type { AgentInput } from './respawn-state.ts';
import { type Input, type Step, witnessed } from './step.ts';

/** Views and notices of the client ask nothing about the work. */
const ASKS: readonly string[] = ['question', 'permission', 'dialog'];

export function onAgent(step: Step, input: Input<'agent'>): void {
  const { run, nowMs } = step;
  const { signs } = run;
  const before = { agent: signs.agent, tree: signs.tree, planRequest: signs.planRequest };
  const { agent, background, contextPercent, tree, keys, mayTry, budget, planRequest, reported } =
    input;
  Object.assign(signs, { agent, background, contextPercent, tree });
  Object.assign(signs, { keys, mayTry, budget, planRequest, reported });
  noteLimit(step, input);
  closeBreaker(step, before.tree, tree);
  const isAsked = planRequest !== null && planRequest !== before.planRequest;
  if (isAsked) signs.hasNewOutput = true;
  const work = visibleWork({ ...signs, work: null }, nowMs, 0);
  if (work !== null) {
    const [line = work.reason] = work.lines;
    signs.work = { atMs: nowMs, line, isOver: false };
    signs.hook = null;
    closeQuestion(step, agent, before.agent);
    return fire(step, 'busy', [witnessed(step, agent?.witness ?? 'hook', ...work.lines)]);
  }
  if (agent === null || agent.state === 'exited') {
    const wasThere = before.agent !== null && before.agent.state !== 'exited';
    if (wasThere)
      fire(step, 'agent_gone', [witnessed(step, 'process', 'the agent no longer runs')]);
    return;
  }
  const why = [witnessed(step, agent.witness, agent.detail ?? `${agent.state}: ${agent.cause}`)];
  const isNews = before.agent?.state !== agent.state || before.agent.since !== agent.since;
  if (agent.state === 'waiting') {
    if (ASKS.includes(agent.cause))
      signs.asked ??= { atMs: nowMs, line: agent.detail ?? agent.cause, byHook: false };
    if (agent.cause === 'plan') {
      // A dialog that was half drawn looked like another one. Of a hook only the client itself knows.
      if (signs.asked?.byHook === false) signs.asked = null;
      // A plan is new text for the gates, whether or not its drawing was read.
      if (isNews) signs.hasNewOutput = true;
    }
    if (isNews || isAsked) fire(step, 'busy', why);
    return;
  }
  // Its dialog is about to show.
  if (isAsked) return fire(step, 'busy', why);
  closeQuestion(step, agent, before.agent);
  // The first sight of an agent says nothing about a turn.
  if (!isNews || before.agent === null || !isAtPrompt(agent)) return;
  if (!isReportedIdle({ agent, hook: null })) return fire(step, 'prompt', why);
  endWork(step);
  fire(step, 'reported_idle', why);
}

export function onOutput(step: Step, { signs: seen }: Input<'output'>): void {
  const { run, nowMs } = step;
  const { signs } = run;
  const { isSubstantial, work, completion, isPrompt, tokens, menu } = seen;
  const isMenuNew = menu !== null && signs.menu === null;
  signs.menu = menu;
  if (isMenuNew && !isSubstantial) awaitPlan(step);
  if (tokens !== null && tokens !== signs.tokens?.count) {
    signs.tokens = { count: tokens, sinceMs: nowMs };
    delayPreFilter(step);
  }
  if (isSubstantial) {
    signs.outputAtMs = nowMs;
    signs.hasNewOutput = true;
    signs.verdict = null;
    signs.hook = null;
  }
  if (isSubstantial || work !== null) dropPlanCheck(step);
  if (work !== null) {
    signs.work = { atMs: nowMs, line: work, isOver: false };
    signs.hook = null;
    return fire(step, 'busy', [witnessed(step, 'terminal', work)]);
  }
  // In idle detection the line that ends a turn replaces the text it came with.
  if (isSubstantial && (completion === null || 'sentMs' in step.visit)) {
    fire(step, 'output', [witnessed(step, 'terminal', 'new text')]);
  }
  if (completion !== null) {
    signs.completion = { atMs: nowMs, line: completion };
    fire(step, 'completed', [witnessed(step, 'terminal', completion)]);
  }
  if (isPrompt) fire(step, 'prompt', [witnessed(step, 'terminal', 'the prompt was drawn')]);
}

export function onHook(step: Step, { hook }: Input<'hook'>): void {
  const { run, nowMs } = step;
  const { signs } = run;
  const why = [witnessed(step, 'hook', hook)];
  switch (hook) {
    case 'stop':
    case 'idle':
      signs.hook = { kind: hook, atMs: nowMs };
      endWork(step);
      return fire(step, hook === 'stop' ? 'reported_idle' : 'idle_hook', why);
    case 'asked':
      signs.asked = { atMs: nowMs, line: 'a question is open', byHook: true };
      return fire(step, 'busy', why);
    case 'answered':
      signs.asked = null;
      return;
    case 'prompt':
      signs.asked = null;
      signs.hook = null;
      signs.work = { atMs: nowMs, line: 'a turn began', isOver: false };
      return fire(step, 'busy', why);
  }
}

/** The client's own word is newer than what its screen showed of the turn. */
function endWork({ run: { signs } }: Step): void {
  if (signs.work !== null) signs.work = { ...signs.work, isOver: true };
}

/**
 * An agent that is at something else since was answered; of a hook only the client itself knows. That
 * it waited before shows it; the clocks do not count, because one may have been set.
 */
function closeQuestion(
  { run: { signs }, nowMs, wallMs }: Step,
  agent: AgentInput['agent'],
  before: AgentInput['agent'],
): void {
  const { asked } = signs;
  if (asked === null || agent === null) return;
  if (agent.state === 'unknown' || agent.state === 'waiting') return;
  if (asked.byHook && agent.witness === 'screen') return;
  const isLater = Date.parse(agent.since) > wallMs + asked.atMs - nowMs;
  if (isLater || before?.state === 'waiting') signs.asked = null;
}

/** Something was done after all. */
function closeBreaker({ kept }: Step, before: AgentInput['tree'], now: AgentInput['tree']): void {
  if (kept.breaker.status !== 'open' || before === null || now === null) return;
  const isGrown = now.commits > before.commits || now.files > before.files;
  if (isGrown) kept.breaker = { status: 'closed', misses: 0 };
}

/** It wants tokens that are stable, however little was drawn. */
function delayPreFilter({ visit, kept, nowMs }: Step): void {
  if (visit.status !== 'watching' || visit.due.pre_filter === null) return;
  const stableMs = nowMs + kept.config.idle_timeout_ms;
  visit.due.pre_filter = Math.max(visit.due.pre_filter, stableMs);
}

/** Its answer would be about another screen. */
function dropPlanCheck(step: Step): void {
  if (step.visit.status !== 'watching' || step.visit.planCheck === null) return;
  dropCheck(step, 'plan');
  step.visit.planCheck = null;
}
