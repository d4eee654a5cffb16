import type { EventRecord } from '../../schema/events/events.ts';
import { byAuthor, type EventText, sentence } from './event-sentence.ts';
import { moduleStatusText, progressText } from '../work/module-text.ts';
import type { Tone } from '../tone.ts';

type ModuleEvent = Extract<EventRecord, { type: `module.${string}` }>;

export function describeModuleEvent(event: ModuleEvent): EventText {
  const { type, data } = event;
  const name = `Task module “${data.title}”`;
  if (event.type === 'module.removed') return sentence(`${name} removed from ${data.path}`);
  const progress = progressText(data);
  const state = moduleStatusText(data) + (progress === '' ? '' : `, ${progress}`);
  const by = byAuthor(event.data);
  if (type === 'module.changed')
    return sentence(`${name}: ${state}${by === '' ? '' : `, changed${by}`}`, toneOf(data));
  return sentence(`${name} ${by === '' ? 'found' : `created${by}`}: ${state}`, toneOf(data));
}

function toneOf({ status, problem }: ModuleEvent['data']): Tone {
  if (problem !== null || status === 'blocked') return 'wait';
  return status === 'complete' ? 'good' : 'idle';
}
