import type { AttentionItem } from '../../../shared/schema/attention/attention.ts';

/** An open item of the inbox: an agent asks for a permission that only its terminal can give. */
export function exampleItem(change: Partial<AttentionItem> = {}): AttentionItem {
  return {
    id: 'a',
    subject: { kind: 'session', id: 'web' },
    session: 'web',
    task: null,
    reason: 'permission',
    title: 'Bash: ls',
    detail: null,
    request: null,
    raised_at: '2026-01-01T00:00:00.000Z',
    cleared_at: null,
    outcome: null,
    by: null,
    answer: null,
    ...change,
  };
}
