import type { AttentionItem } from '../../shared/schema/attention/attention.ts';
import type { Role } from '../../shared/schema/people/role.ts';
import type { Config } from '../lib/config/config.ts';
import { requestNeed } from './attention-for.ts';

/** An item as this role may see it; `details`: who sees what found sessions ask. */
export function shownItem(
  item: AttentionItem,
  role: Role,
  details: Config['foundDetails'],
): AttentionItem {
  if (item.subject.kind !== 'found') return item;
  const isOpen = details === 'everyone' || role !== 'viewer';
  if (!isOpen) return { ...item, detail: null, request: null };
  // The stored title is for events, which everyone sees.
  return item.request === null ? item : { ...item, title: requestNeed(item.request).title };
}
