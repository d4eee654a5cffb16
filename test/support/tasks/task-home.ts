/** A daemon with a repository, and tasks in it whose agent plays what their description instructs. */
import type { Task } from '../../../shared/schema/tasks/task.ts';
import type { Conversation } from '../../../shared/schema/tasks/interaction.ts';
import type { TaskInputQueue } from '../../../shared/schema/tasks/task-input.ts';
import type { ApiClient } from '../daemon/api-client.ts';
import { gitRepository } from '../git/git-repository.ts';
import { until } from '../house/until.ts';
import type { World } from '../daemon/world.ts';

/** A description that makes the stand-in play these steps. */
export function script(...steps: string[]): string {
  return ['Greet by name.', ...steps.map((step) => `stand-in: ${step}`)].join('\n');
}

export class TaskHome {
  readonly world: World;
  readonly repository: string;
  api: ApiClient;

  constructor(world: World, api: ApiClient, name = 'project') {
    this.world = world;
    this.api = api;
    this.repository = gitRepository(world.taskDir(name));
  }

  async create(task_name: string, more: object = {}): Promise<Task> {
    const body = {
      task_name,
      description: 'Greet by name.',
      root_folder: this.repository,
      ...more,
    };
    const answer = await this.api.send('POST', '/api/v1/tasks', body);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return answer.body as unknown as Task;
  }

  /** Creates a task with these steps and starts it. */
  async run(task_name: string, steps: readonly string[], more: object = {}): Promise<Task> {
    return this.create(task_name, { description: script(...steps), auto_start: true, ...more });
  }

  async get(name: string): Promise<Task> {
    const { body } = await this.api.get(`/api/v1/tasks/by-name/${name}`);
    return body as unknown as Task;
  }

  async post(name: string, action: string, body?: object) {
    return this.api.send('POST', `/api/v1/tasks/by-name/${name}/${action}`, body);
  }

  async say(name: string, input: string, more: object = {}) {
    return this.post(name, 'user-input', { input, ...more });
  }

  async until(name: string, status: Task['status']): Promise<Task> {
    let seen: unknown;
    const poll = async () => {
      const task = await this.get(name);
      seen = [task.status, task.iterations, task.reason, task.error_message];
      return task.status === status ? task : null;
    };
    return until(`${name} is ${status}`, poll, () => seen);
  }

  async conversation(name: string): Promise<Conversation> {
    const path = `/api/v1/tasks/by-name/${name}/interactions?collapse_tools=false&limit=1000`;
    return (await this.api.get(path)).body as unknown as Conversation;
  }

  async inputs(name: string, api = this.api): Promise<TaskInputQueue> {
    const { body } = await api.get(`/api/v1/tasks/by-name/${name}/user-input/status`);
    return body as unknown as TaskInputQueue;
  }
}
