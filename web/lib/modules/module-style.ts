/** Badges for task modules. Pure. */
import type { BadgeStyle } from '$lib/ui/tone.ts';
import { TASK_STATUSES, type TaskStatus } from '$shared/rules/loops/loop-steps.ts';
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
