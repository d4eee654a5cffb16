/**
 * What the key of a host opens on the server: its own things, and no more. The server enforces it,
 * so a host that was taken over cannot speak as another one. `allow_responses` is
 * not among them: a host could send itself a message with any subject as its reply, and then write
 * there.
 */
import { BUCKETS, EVENTS, eventsOf, inboxOf } from './subjects.ts';

interface Right {
  subject: string;
  why: string;
}

/** What this host may publish. Nothing else: no stream is created, changed or emptied with it. */
export function publishRights(host: string): Right[] {
  return [
    { subject: eventsOf(host), why: 'the copy of its own event log' },
    { subject: 'cmd.*.open', why: 'any host may ask any other for a channel' },
    { subject: 'ch.*.*', why: 'messages in a channel; its id is known to both ends only' },
    {
      subject: `${inboxOf('*')}.*`,
      why: 'answers to requests for a channel, whose names are random',
    },
    { subject: key(BUCKETS.hosts, host), why: 'that it is there' },
    { subject: key(BUCKETS.copies, `${host}.>`), why: 'the newest lists of its own' },
    { subject: key(BUCKETS.claims, '>'), why: 'shared work; the revision decides between hosts' },
    { subject: key(BUCKETS.people, '>'), why: 'people invited or removed on any host' },
    { subject: '$JS.API.INFO', why: 'whether the server has streams at all' },
    ...[EVENTS, ...Object.values(BUCKETS).map(streamOf)].map((stream) => ({
      subject: `$JS.API.STREAM.INFO.${stream}`,
      why: 'whether it exists',
    })),
    ...[EVENTS, ...[BUCKETS.hosts, BUCKETS.claims, BUCKETS.copies].map(streamOf)].flatMap(
      (stream) => [
        { subject: `$JS.API.DIRECT.GET.${stream}`, why: 'the values after a number' },
        { subject: `$JS.API.DIRECT.GET.${stream}.>`, why: 'the newest value of a name' },
      ],
    ),
    ...[BUCKETS.hosts, BUCKETS.people].map((bucket) => ({
      subject: `$JS.API.CONSUMER.CREATE.${streamOf(bucket)}`,
      why: 'to watch it',
    })),
  ];
}

/** Where this host may listen: what is sent to it. */
export function subscribeRights(host: string): Right[] {
  return [
    { subject: `cmd.${host}.open`, why: 'requests for a channel to it' },
    { subject: `ch.${host}.>`, why: 'what is sent to it within channels' },
    { subject: `${inboxOf(host)}.>`, why: 'answers to its own requests' },
  ];
}

function streamOf(bucket: string): string {
  return `KV_${bucket}`;
}

function key(bucket: string, name: string): string {
  return `$KV.${bucket}.${name}`;
}
