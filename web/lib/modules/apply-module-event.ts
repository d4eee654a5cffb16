/** The list of task modules, updated by their events. Pure. */
import type { EventRecord } from '$shared/schema/events/events.ts';
import type { Module } from '$shared/schema/modules/modules.ts';

export type ModuleEvent = Extract<EventRecord, { type: `module.${string}` }>;

export function isModuleEvent(event: EventRecord): event is ModuleEvent {
  return event.type.startsWith('module.');
}

/** By path. What an event does not say stays as it was. */
export function applyModuleEvent(modules: readonly Module[], event: ModuleEvent): Module[] {
  const { module: id, path, title, status, phase, ...rest } = event.data;
  const others = modules.filter((each) => each.id !== id);
  if (event.type === 'module.removed') return others;
  const known = modules.find((each) => each.id === id);
  const { completed_steps, steps, problem, revision } = rest;
  const facts = { path, title, status, phase, completed_steps, steps, problem, revision };
  const kept = { id, branch: known?.branch ?? '', loop: known?.loop ?? null };
  const next = [...others, { ...kept, ...facts, changed_at: event.at }];
  return next.sort((one, other) => (one.path < other.path ? -1 : 1));
}
