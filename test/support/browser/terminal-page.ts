/** A live terminal on the page as a person sees it, with access to its connection. */
import type {
  BrowserContext,
  BrowserContextOptions,
  Locator,
  Page,
  WebSocketRoute,
} from 'playwright-core';
import type { ApiClient } from '../daemon/api-client.ts';
import { loginLink, openGuarded, openSession } from './browser.ts';
import { until } from '../house/until.ts';

/** The terminal section of a session: toolbar, notices, screen. */
export function terminalOf(page: Page, session: string): Locator {
  return page.getByRole('group', { name: `Terminal of ${session}`, exact: true });
}

/** The rows of the emulator. */
export function rowsIn(terminal: Locator): Locator {
  return terminal.locator('.xterm-rows');
}

/** Takes control of the terminal that the page shows; waits until the page has it. */
export async function takeControl(page: Page, session: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Take control' }).click();
  const terminal = terminalOf(page, session);
  await terminal.getByText('You have control', { exact: true }).waitFor();
  return terminal;
}

/** Views the terminal live; waits until something is shown. */
export async function viewLive(page: Page, session: string): Promise<Locator> {
  await page.getByRole('button', { name: 'View live' }).click();
  const terminal = terminalOf(page, session);
  await terminal.getByText(/has control$/).waitFor();
  return terminal;
}

/** The connection of the terminal, intercepted. */
class TerminalWire {
  /** Text frames of the page that request something. */
  readonly frames: string[] = [];
  /** Bytes the page has typed. */
  readonly keys: Buffer[] = [];
  #route: WebSocketRoute | null = null;
  isBlocked = false;
  /** Hides the daemon's output from the page: only `draw` shows anything. */
  isMute = false;

  /** Intercepts the connections between the pages of a context and the daemon from now on. */
  static async between(context: BrowserContext): Promise<TerminalWire> {
    const wire = new TerminalWire();
    await context.routeWebSocket('**/ws', (route) => wire.#carry(route));
    return wire;
  }

  /** Lets the page believe that the terminal has drawn this. */
  draw(text: string): void {
    this.#route?.send(Buffer.from(text));
  }

  /** Ends the connection of the terminal, and every later one while `isBlocked`. */
  async cut(): Promise<void> {
    const route = await until('the terminal is attached', () => this.#route);
    this.#route = null;
    await route.close({ code: 1011 });
  }

  get typed(): string {
    return Buffer.concat(this.keys).toString();
  }

  #carry(route: WebSocketRoute): void {
    if (this.isBlocked) {
      void route.close({ code: 1011 });
      return;
    }
    const server = route.connectToServer();
    route.onMessage((message) => {
      if (typeof message !== 'string') this.keys.push(message);
      else if (message.includes('"attach"')) {
        this.#route = route;
        this.frames.push(message);
      }
      server.send(message);
    });
    server.onMessage((message) => {
      if (typeof message === 'string' || !this.isMute) route.send(message);
    });
  }
}

/** A logged-in page of a session, with its connections intercepted. */
export async function openWired(
  api: ApiClient,
  session: string,
  options: BrowserContextOptions = {},
) {
  const context = await openGuarded(api, options);
  const wire = await TerminalWire.between(context);
  const page = await context.newPage();
  await page.goto(await loginLink(api));
  await openSession(page, session);
  return { page, wire, [Symbol.asyncDispose]: async () => context.close() };
}
