/** Task modules below the roots: listed live, read, created and edited by people. */
import { realpath } from 'node:fs/promises';
import type {
  CreateModule,
  Module,
  ModuleDetail,
  ModuleTarget,
  Modules as List,
  SaveTarget,
} from '../../shared/schema/modules/modules.ts';
import type { Loop } from '../../shared/schema/model.ts';
import { AppError, systemCode } from '../lib/app-error.ts';
import { toIso } from '../lib/clock.ts';
import { isBelow } from '../lib/files/real-directory.ts';
import { createModule } from './create-module.ts';
import { readModuleFiles } from './module-files.ts';
import { readLock } from './module-lock.ts';
import { readModuleSignal } from './module-signal.ts';
import { readTarget, writeTarget } from './module-target.ts';
import { newModulePlace, type PlaceRules } from './new-module-place.ts';
import { readStopRequest } from './stop-request.ts';
import { PathReach } from '../lib/files/path-reach.ts';
import { LiveModules, type LiveOptions } from './watching/live-modules.ts';
import type { ModuleState } from './watching/module-state.ts';

export interface ModulesOptions extends Omit<LiveOptions, 'isBelowRoots' | 'reach'>, PlaceRules {
  /** Of shells: git of a new module runs in it. */
  environment: NodeJS.ProcessEnv;
  loops: () => readonly Pick<Loop, 'session_name' | 'status' | 'task_dir'>[];
}

export class Modules {
  readonly #options: ModulesOptions;
  readonly #live: LiveModules;

  constructor(options: ModulesOptions) {
    this.#options = options;
    this.#live = new LiveModules({
      ...options,
      isBelowRoots: (path) => isBelow(path, options.roots),
      reach: new PathReach(options.clock),
    });
  }

  /** Resolves after the first scan. */
  async start(): Promise<void> {
    await this.#live.start();
  }

  /** By path. */
  list(): List {
    const { scannedAtMs, isCut } = this.#live;
    const loops = new Map(this.#options.loops().map((loop) => [loop.task_dir, loop]));
    return {
      modules: this.#live.list().map((state) => viewOf(state, loops.get(state.facts.path))),
      scanned_at: scannedAtMs === null ? null : toIso(scannedAtMs),
      cut: isCut,
    };
  }

  /** Throws `module_unknown`. */
  async get(id: string): Promise<ModuleDetail> {
    return this.#detail(await this.#require(id));
  }

  /** Throws `target_changed`, `target_not_editable`, `directory_unreadable`, `module_unknown`. */
  async saveTarget(id: string, change: SaveTarget, author: string): Promise<ModuleTarget> {
    const { path } = (await this.#require(id)).facts;
    const saved = await writing(path, () => writeTarget(path, change));
    await this.#live.refresh(path, author);
    return saved;
  }

  /** Throws `module_exists`, `directory_unreadable`, and what `newModulePlace` throws. */
  async create({ path, description }: CreateModule, author: string): Promise<ModuleDetail> {
    const { clock, environment } = this.#options;
    const place = newModulePlace(path, this.#options);
    const made = await writing(place, async () =>
      createModule(place, description, toIso(clock.now()), environment),
    );
    if ('refused' in made) {
      throw new AppError('module_exists', `${made.refused}; edit its target instead`);
    }
    const state = await this.#live.refresh(place, author);
    if (state === null) throw unknown();
    return this.#detail(state);
  }

  async dispose(): Promise<void> {
    await this.#live.dispose();
  }

  /** Its directory may have been replaced since it was read. */
  async #require(id: string): Promise<ModuleState> {
    const state = this.#live.get(id);
    const path = state?.facts.path ?? '';
    const real = await realpath(path).catch(() => null);
    if (state === null || real !== path || !isBelow(path, this.#options.roots)) throw unknown();
    return state;
  }

  #detail(state: ModuleState): ModuleDetail {
    const { path } = state.facts;
    const loop = this.#options.loops().find(({ task_dir }) => task_dir === path);
    const { files, more } = readModuleFiles(path);
    const signal = readModuleSignal(path);
    const lock = readLock(path);
    return {
      ...viewOf(state, loop),
      target: readTarget(path),
      files,
      more_files: more,
      signal:
        signal === null
          ? null
          : {
              step: signal.step,
              result: signal.result,
              next: signal.next,
              checkpoint: signal.checkpoint,
              iteration: signal.iteration ?? null,
              at: signal.timestamp,
            },
      is_locked: lock.kind === 'held' && lock.isAlive,
      is_stop_requested: readStopRequest(path) !== null,
    };
  }
}

function viewOf(
  { facts: { module: id, ...facts }, branch, changedMs }: ModuleState,
  loop: Pick<Loop, 'session_name' | 'status'> | undefined,
): Module {
  return {
    id,
    ...facts,
    changed_at: toIso(changedMs),
    branch,
    loop: loop === undefined ? null : { session_name: loop.session_name, status: loop.status },
  };
}

/** Throws AppErrors for what the system refuses; nothing was changed then. */
async function writing<Result>(path: string, act: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    const code = systemCode(error) ?? '';
    if (['ENOSPC', 'EDQUOT'].includes(code)) {
      throw new AppError('storage_full', `the disk of ${path} is full; free space and try again`);
    }
    if (['EACCES', 'EPERM', 'EROFS'].includes(code)) {
      const next = 'grant the daemon’s user access, or choose another';
      throw new AppError('directory_unreadable', `${path} cannot be written (${code}); ${next}`);
    }
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(code)) throw unknown();
    throw error;
  }
}

function unknown(): AppError {
  return new AppError('module_unknown', 'no such task module; list them with: loopwatch module ls');
}
