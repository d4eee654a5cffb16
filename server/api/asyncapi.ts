/** The AsyncAPI document of the WebSocket, generated from the frames' and events' schemas. */
import type { z } from 'zod';
import { EVENT_TYPES, eventDataSchema } from '../../shared/schema/events/events.ts';
import { ClientFrame, ServerFrame } from '../../shared/schema/events/protocol.ts';
import { CloseCode, MAX_FRAME_BYTES, SUBPROTOCOL } from '../../shared/rules/wire.ts';
import { type JsonSchema, jsonSchema } from './json-schema.ts';

/** AsyncAPI 3.0. */
export function asyncApiDocument(version: string): JsonSchema {
  const fromClient = { ...messages(ClientFrame.options), bytes: bytes('Input for the terminal.') };
  const fromServer = { ...messages(ServerFrame.options), bytes: bytes('Output of the terminal.') };
  const names = (group: JsonSchema, prefix: string) =>
    Object.keys(group).map((name) => ({ $ref: `#/channels/ws/messages/${prefix}${name}` }));
  return {
    asyncapi: '3.0.0',
    info: { title: 'Loopwatch', version, description: `Subprotocol ${SUBPROTOCOL}` },
    channels: {
      ws: {
        address: '/ws',
        messages: { ...prefixed(fromClient, 'client_'), ...prefixed(fromServer, 'server_') },
        'x-close-codes': CloseCode,
      },
    },
    operations: {
      receive: {
        action: 'receive',
        channel: { $ref: '#/channels/ws' },
        messages: names(fromClient, 'client_'),
      },
      send: {
        action: 'send',
        channel: { $ref: '#/channels/ws' },
        messages: names(fromServer, 'server_'),
      },
    },
    components: {
      schemas: Object.fromEntries(
        EVENT_TYPES.map((type) => [type, jsonSchema(eventDataSchema(type))]),
      ),
    },
  };
}

function messages(frames: readonly z.ZodObject<{ type: z.ZodLiteral<string> }>[]): JsonSchema {
  return Object.fromEntries(
    frames.map((frame) => [frame.shape.type.value, { payload: jsonSchema(frame) }]),
  );
}

/** A binary frame: terminal bytes of the connection's one attachment. */
function bytes(summary: string): JsonSchema {
  return {
    contentType: 'application/octet-stream',
    summary: `Binary frame, only while a terminal is attached. ${summary}`,
    payload: { type: 'string', format: 'binary', maxLength: MAX_FRAME_BYTES },
  };
}

function prefixed(group: JsonSchema, prefix: string): JsonSchema {
  return Object.fromEntries(Object.entries(group).map(([name, value]) => [prefix + name, value]));
}
