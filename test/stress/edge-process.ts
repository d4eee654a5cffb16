/**
 * The edge of a daemon in its own process: the real engine, gate and connections on a real event
 * log. Gets its commands by IPC; ends with its parent.
 */
import { Edge } from './edge.ts';
import type { EdgeAnswer, EdgeCommand, EdgeSetup } from './edge-protocol.ts';
import { loadEngine } from './engines.ts';

const setup = JSON.parse(process.argv[2] ?? '') as EdgeSetup;
const answer = (message: EdgeAnswer) => process.send?.(message);

const engine = await loadEngine(setup.engine);
if (typeof engine === 'string') {
  answer({ unable: engine });
  process.disconnect();
} else {
  const edge = await Edge.open(setup, engine);
  process.on('message', ({ id, ...command }: EdgeCommand & { id: number }) => {
    void perform(edge, command).then((reply) => answer({ id, ...reply }));
  });
  process.on('disconnect', () => void edge.close());
  answer({ ready: edge.ready });
}

async function perform(edge: Edge, command: EdgeCommand): Promise<object> {
  switch (command.do) {
    case 'append':
      await edge.append(command);
      return {};
    case 'jump':
      edge.jump(command.ms);
      return {};
    case 'restart':
      await edge.restart();
      return {};
    case 'rows':
      return { rows: edge.rows() };
    case 'state':
      return { state: edge.state() };
  }
}
