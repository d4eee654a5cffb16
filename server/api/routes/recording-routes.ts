import type { Recordings } from '../../sessions/showing/recordings.ts';
import type { Handlers } from '../endpoint-handler.ts';

/** Recordings of terminals: start, end, fetch. */
export function recordingRoutes({
  recordings,
}: {
  recordings: Recordings;
}): Handlers<'startRecording' | 'getRecordingStatus' | 'getRecording' | 'stopRecording'> {
  return {
    startRecording: ({ params }) => ({ status: 201, body: recordings.start(params.id) }),
    getRecordingStatus: ({ params }) => ({ status: 200, body: recordings.status(params.id) }),
    getRecording: ({ params }) =>
      new Response(recordings.read(params.id), {
        headers: { 'content-type': 'application/x-asciicast' },
      }),
    stopRecording: ({ params }) => ({ status: 200, body: recordings.stop(params.id) }),
  };
}
