/** Which task modules are listed, kept in the page's URL. Pure. */
import type { TaskStatus } from '$shared/rules/loops/loop-steps.ts';
import type { Module } from '$shared/schema/modules/modules.ts';
import { MODULE_STATUSES } from './module-style.ts';

export interface ModuleFilter {
  status: TaskStatus | null;
  text: string;
}

/** Drops values that no module can have. */
export function readModuleFilter(query: URLSearchParams): ModuleFilter {
  const status = query.get('status');
  return {
    status: MODULE_STATUSES.find((one) => one === status) ?? null,
    text: query.get('q') ?? '',
  };
}

export function writeModuleFilter({ status, text }: ModuleFilter): Record<string, string | null> {
  return { status, q: text.trim() === '' ? null : text };
}

/** Every word of the filter must be in title, path or branch. */
export function passesModuleFilter(
  module: Pick<Module, 'title' | 'path' | 'branch' | 'status'>,
  { status, text }: ModuleFilter,
): boolean {
  if (status !== null && module.status !== status) return false;
  const all = [module.title, module.path, module.branch].join('\n').toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}
