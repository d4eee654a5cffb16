/** Badges for task modules. Pure. */
import { loopStyle } from '$lib/loop/loop-status.ts';
import type { BadgeStyle } from '$lib/ui/tone.ts';
import { TASK_STATUSES, type TaskStatus } from '$shared/rules/loops/loop-steps.ts';
import type { Loop } from '$shared/schema/model.ts';
import type { Module } from '$shared/schema/modules/modules.ts';
import { entryFor } from '$shared/words/entry-for.ts';
import { moduleStatusText } from '$shared/words/work/module-text.ts';

const STYLE: Record<TaskStatus, Omit<BadgeStyle, 'label'>> = {
  draft: { tone: 'idle', mark: 'ring' },
  planning: { tone: 'work', mark: 'half' },
  review: { tone: 'work', mark: 'ring' },
  executing: { tone: 'work', mark: 'disc' },
  're-planning': { tone: 'wait', mark: 'half' },
  complete: { tone: 'good', mark: 'tick' },
  blocked: { tone: 'fail', mark: 'cross' },
  cancelled: { tone: 'idle', mark: 'dash' },
};

/** In the order of a module's life. */
export const MODULE_STATUSES: readonly TaskStatus[] = TASK_STATUSES;

export function moduleBadge(module: Pick<Module, 'status' | 'phase' | 'problem'>): BadgeStyle {
  const label = moduleStatusText(module);
  if (module.problem !== null) return { label, tone: 'fail', mark: 'cross' };
  if (module.status === null) return { label, tone: 'idle', mark: 'dash' };
  return { label, ...entryFor(STYLE, module.status, () => ({ tone: 'idle', mark: 'dash' })) };
}

/** The state of the loop that works on a module, with its session. */
export function namedLoopBadge(loop: Pick<Loop, 'session_name' | 'status' | 'wait'>): BadgeStyle {
  const style = loopStyle(loop);
  return { ...style, label: `Loop ${loop.session_name}: ${style.label}` };
}
