/** Opens the page of a new task, on the host it was created on. */
import { goto } from '$app/navigation';
import { resolve } from '$app/paths';
import type { Hosts } from '$lib/hosts/hosts.svelte.ts';
import { pathTo } from '$lib/state/page-host.ts';
import type { Task } from '$shared/schema/tasks/task.ts';

/** False: it is on another host, whose page is loaded. */
export function openCreated({ task_name: name, placed }: Task, hosts: Hosts): boolean {
  const path = resolve('/tasks/[name]', { name });
  const host = placed?.host ?? null;
  if (host === null || host === hosts.current?.name) {
    void goto(path);
    return true;
  }
  location.assign(pathTo(host === hosts.view.self?.name ? null : host, path));
  return false;
}
