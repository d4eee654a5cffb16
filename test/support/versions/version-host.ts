/** A host of a fleet as a process of one version; an update starts another one on the same home. */
import { once } from 'node:events';
import { type HostIdentity, readHostIdentity } from '../../../server/fleet/host-identity.ts';
import { ApiClient } from '../daemon/api-client.ts';
import { type SpawnedDaemon, World } from '../daemon/world.ts';
import { git } from '../git/git-repository.ts';
import { TaskHome } from '../tasks/task-home.ts';

/** Of the repository that each host has a clone of. */
const REMOTE = 'https://example.com/team/app';

export class VersionHost {
  readonly name: string;
  readonly world = new World({ LOOPWATCH_ACCEPT_REMOTE_INPUT: 'on' });
  /** Of a person whom the hosts of its fleet know; until then no one. */
  token = 'none';
  /** There before a daemon starts, which says so to the fleet. */
  readonly #tasks = new TaskHome(this.world, new ApiClient('', ''));
  #daemon: SpawnedDaemon | null = null;

  constructor(name: string, program: string) {
    this.name = name;
    this.world.program = program;
    git(this.#tasks.repository, 'remote', 'add', 'origin', REMOTE);
  }

  get identity(): HostIdentity {
    const identity = readHostIdentity(this.world.home);
    if (identity === null) throw new Error(`${this.name} is in no fleet`);
    return identity;
  }

  get isUp(): boolean {
    return this.#daemon !== null;
  }

  /** The host itself, with the token of its home. */
  get admin(): ApiClient {
    if (this.#daemon === null) throw new Error(`${this.name} does not run`);
    return this.#daemon.api;
  }

  /** In its clone, by its daemon that runs now. */
  get tasks(): TaskHome {
    this.#tasks.api = this.asks(this);
    return this.#tasks;
  }

  /** This host, or another one as this one shows it, as that person. */
  asks(other: VersionHost): ApiClient {
    const { url } = this.admin;
    return new ApiClient(other === this ? url : `${url}/hosts/${other.name}`, this.token);
  }

  async start(): Promise<void> {
    this.#daemon ??= await this.world.spawn();
  }

  /** As a service manager stops it. */
  async stop(): Promise<void> {
    const daemon = this.#daemon;
    this.#daemon = null;
    if (daemon === null) return;
    const exited = once(daemon.process, 'exit');
    daemon.process.kill('SIGTERM');
    await exited;
  }

  async update(program: string): Promise<void> {
    await this.stop();
    this.world.program = program;
    await this.start();
  }

  /** Runs its command line, which must succeed; returns what it printed. */
  async cli(...words: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.world.cli(...words);
    if (code !== 0) throw new Error(`${this.name}: ${words.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.world[Symbol.asyncDispose]();
  }
}
