import { createContext } from 'svelte';
import type { Away } from '$lib/away/away.svelte.ts';
import type { FoundWatch } from '$lib/found/found-watch.svelte.ts';
import type { Notifier } from '$lib/notify/notifier.svelte.ts';
import type { SessionUsages } from '$lib/usage/session-usages.svelte.ts';
import type { Account } from './account.svelte.ts';
import type { Announcer } from './announcer.svelte.ts';
import type { Feed } from './feed.svelte.ts';
import type { StartRequest } from './start-request.svelte.ts';

export const [getAccount, setAccount] = createContext<Account>();
export const [getFeed, setFeed] = createContext<Feed>();
export const [getAnnouncer, setAnnouncer] = createContext<Announcer>();
export const [getNotifier, setNotifier] = createContext<Notifier>();
export const [getStartRequest, setStartRequest] = createContext<StartRequest>();
export const [getFound, setFound] = createContext<FoundWatch>();
export const [getUsages, setUsages] = createContext<SessionUsages>();
export const [getAway, setAway] = createContext<Away>();
