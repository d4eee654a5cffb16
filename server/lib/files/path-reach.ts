/**
 * Reads what is at a path without blocking the daemon on a file system that does not answer: first
 * it waits until the file systems along the path answer, then a synchronous call is safe. Paths on
 * the same file systems share the question: a daemon with fifty loops on one disk asks once for each
 * tick, not fifty times.
 */
import { type BigIntStats, lstatSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '../clock.ts';

/** An answer counts for the rest of its tick. */
const FRESH_MS = 100;
/** More than the walk for modules sees; beyond it all are explored again. */
const MAX_PATHS = 65_536;

/** The file systems along some paths. */
interface Route {
  devices: ReadonlySet<number>;
  answeredAtMs: number;
  open: Promise<void> | null;
}

interface Place {
  /** Of the file system it is on. */
  device: number;
  route: Route;
}

export class PathReach {
  readonly #clock: Clock;
  readonly #ask: (path: string) => Promise<{ dev: number }>;
  /** By their devices, in order. */
  readonly #routes = new Map<string, Route>();
  readonly #places = new Map<string, Place>();

  /** Tests have file systems that hang. */
  constructor(clock: Clock, ask: (path: string) => Promise<{ dev: number }> = stat) {
    this.#clock = clock;
    this.#ask = ask;
  }

  /**
   * Resolves once all file systems along a path without links answered a moment ago; never rejects,
   * and waits as long as one hangs.
   */
  async wait(path: string): Promise<void> {
    const route = this.#places.get(path)?.route;
    if (route === undefined) {
      await this.#explore(path);
      return;
    }
    if (this.#clock.monotonic() - route.answeredAtMs < FRESH_MS) return;
    if (route.open === null) return this.#answer(path, route);
    await route.open;
    // A turn of the event loop for each of those that waited.
    return new Promise((resolve) => this.#clock.after(0, resolve));
  }

  /** What is there now, null when nothing is. Throws the system's error, and waits as `wait` does. */
  async stat(path: string): Promise<BigIntStats | null> {
    await this.wait(path);
    const found = lstatSync(path, { bigint: true, throwIfNoEntry: false }) ?? null;
    const known = this.#places.get(path);
    // Something was mounted there: all paths below lead elsewhere too.
    if (found !== null && known !== undefined && Number(found.dev) !== known.device) {
      this.#places.clear();
    }
    return found;
  }

  /** Device and inode of the directory that is there now, or null. */
  async identity(path: string): Promise<string | null> {
    const found = await this.stat(path).catch(() => null);
    return found?.isDirectory() === true ? `${found.dev}:${found.ino}` : null;
  }

  async #answer(path: string, route: Route): Promise<void> {
    route.open = this.#ask(path).then(
      () => undefined,
      () => void this.#places.delete(path),
    );
    await route.open;
    route.open = null;
    route.answeredAtMs = this.#clock.monotonic();
  }

  /** One question for each directory that is new; null when there is none. */
  async #explore(path: string): Promise<Place | null> {
    const known = this.#places.get(path);
    if (known !== undefined) return known;
    const parent = dirname(path);
    const above = parent === path ? [] : (await this.#explore(parent))?.route.devices;
    const answer = await this.#ask(path).catch(() => null);
    if (above === undefined || answer === null) return null;
    const devices = new Set([...above, answer.dev]);
    const place = { device: answer.dev, route: this.#routeOver(devices) };
    if (this.#places.size >= MAX_PATHS) this.#places.clear();
    this.#places.set(path, place);
    return place;
  }

  #routeOver(devices: ReadonlySet<number>): Route {
    const key = [...devices].join(' ');
    const route = this.#routes.get(key) ?? { devices, answeredAtMs: -Infinity, open: null };
    this.#routes.set(key, route);
    return route;
  }
}
