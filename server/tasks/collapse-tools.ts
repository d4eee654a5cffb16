import type { Interaction, ToolGroup } from '../../shared/schema/tasks/interaction.ts';

const MAX_NAMES = 4;

/** Merges consecutive tool calls and their results into one group. */
export function collapseTools(page: readonly Interaction[]): (Interaction | ToolGroup)[] {
  const collapsed: (Interaction | ToolGroup)[] = [];
  let group: Interaction[] = [];
  const close = () => {
    if (group.length > 0) collapsed.push(toGroup(group));
    group = [];
  };
  for (const interaction of page) {
    if (interaction.tool !== null) group.push(interaction);
    else if (interaction.content.trim() !== '' || group.length === 0) {
      close();
      collapsed.push(interaction);
    }
  }
  close();
  return collapsed;
}

function toGroup(tools: Interaction[]): ToolGroup {
  const [first, last] = [tools[0], tools.at(-1)];
  const calls = tools.filter(({ type }) => type !== 'tool_result');
  const names = [...new Set((calls.length > 0 ? calls : tools).map(({ tool }) => tool ?? 'tool'))];
  const count = Math.max(1, calls.length);
  const failed = tools.filter(({ is_error }) => is_error).length;
  const more = names.length > MAX_NAMES ? `, and ${names.length - MAX_NAMES} more` : '';
  const failures = failed === 0 ? '' : `, ${failed} failed`;
  return {
    id: `tool_group_${first?.id ?? 0}`,
    type: 'tool_group',
    tool_count: count,
    first_timestamp: first?.timestamp ?? '',
    last_timestamp: last?.timestamp ?? '',
    summary: `${names.slice(0, MAX_NAMES).join(', ')}${more}${failures}`,
    tools,
  };
}
