/**
 * Presses Enter on a plan that the screen shows right now: the same agent in the foreground, its
 * dialog a plan, its menu at the end of the screen. Nothing else is ever pressed.
 */
import type { Attachments } from '../sessions/showing/attachments.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { isSameProgram, type Program } from '../sessions/typing/program.ts';
import type { AgentMonitor } from '../sessions/watching/agent-monitor.ts';
import { plainLines } from '../terminals/screen-lines.ts';
import { readPlanMenu } from './detection/plan-menu.ts';

/**
 * Why nothing was pressed; null when Enter was.
 *
 * @throws {Error} where it may have been pressed.
 */
export async function acceptPlanMenu(
  session: string,
  program: Program | null,
  {
    sessions,
    monitor,
    attachments,
    acceptsPlans,
  }: {
    sessions: Pick<Sessions, 'exclusively' | 'snapshot' | 'type'>;
    monitor: Pick<AgentMonitor, 'foreground' | 'agent'>;
    attachments: Pick<Attachments, 'controllerOf'>;
    acceptsPlans: () => boolean;
  },
): Promise<string | null> {
  return sessions.exclusively(session, async () => {
    const front = await monitor.foreground(session);
    if (front.kind !== 'agent') return 'no agent is in the foreground';
    if (program === null || !isSameProgram(program, front.program)) return 'another agent is there';
    const agent = monitor.agent(session);
    if (agent?.state !== 'waiting' || agent.cause !== 'plan') return 'no plan is open any more';
    const { lines } = await sessions.snapshot(session);
    if (readPlanMenu(plainLines(lines).join('\n')) === null) return 'its menu is not on the screen';
    // The terminal took its time to answer: what people did meanwhile counts.
    if (attachments.controllerOf(session) !== null) return 'a person has the keys';
    if (!acceptsPlans()) return 'respawn was stopped, paused or changed meanwhile';
    const outcome = await sessions.type(session, {
      text: '',
      submit: true,
      foreground: front.name,
    });
    if (outcome === 'unknown') throw new Error('the terminal has not confirmed the key');
    return outcome === 'typed' ? null : `the key did not arrive (${outcome})`;
  });
}
