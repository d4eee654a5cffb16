/** What can be measured, by its name on the command line, in the order it runs. */
import { cliTime } from './cli/cli-time.ts';
import { listCost } from './checkpoints/list-cost.ts';
import { detectionCost } from './detection/detection-cost.ts';
import { fanOut } from './fan-out/fan-out.ts';
import { fleetCost } from './fleet/fleet-cost.ts';
import { freshStart } from './fresh/fresh-start.ts';
import { heartbeatCost } from './heartbeat/heartbeat-cost.ts';
import { foundCost } from './found/found-cost.ts';
import { growth } from './growth/growth.ts';
import { idleCost } from './idle/idle-cost.ts';
import { latency } from './latency/latency.ts';
import { appendSpeed, resumeSpeed } from './log/log-speed.ts';
import { memory } from './memory/memory.ts';
import { crowdCost } from './page/crowd-cost.ts';
import { pageCost } from './page/page-cost.ts';
import type { Part } from './run-parts.ts';
import { readingGrowth } from './reading/reading-growth.ts';
import { recoveryTime } from './recovery/recovery-time.ts';
import { screenCost } from './screens/screen-cost.ts';
import { terminalLatency } from './screens/terminal-latency.ts';
import { blindLatency } from './signals/blind-latency.ts';
import { signalLatency } from './signals/signal-latency.ts';
import { taskCost } from './tasks/task-cost.ts';

export const PARTS: Readonly<Record<string, Part>> = {
  'fan-out': fanOut,
  latency,
  memory,
  signals: signalLatency,
  'signals-unwatched': blindLatency,
  log: async () => Promise.resolve(appendSpeed()),
  resume: resumeSpeed,
  recovery: recoveryTime,
  reading: async () => Promise.resolve(readingGrowth()),
  growth,
  idle: idleCost,
  found: foundCost,
  heartbeat: heartbeatCost,
  terminals: terminalLatency,
  screens: screenCost,
  tasks: taskCost,
  fresh: async () => freshStart(),
  cli: cliTime,
  checkpoints: async () => listCost(),
  detection: async (pace) => Promise.resolve(detectionCost(pace)),
  fleet: fleetCost,
  page: pageCost,
  crowd: crowdCost,
};
