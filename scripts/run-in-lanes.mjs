/**
 * Runs jobs in lanes: a lane that is free takes the first job of its kind that may run, until none is left. Resolves
 * after the last.
 * @template {{ readonly uses?: string, readonly kindOfLane?: string }} Job
 * @template {{ readonly kind?: string }} Lane
 * @param {readonly Job[]} jobs Those that use the same thing never run at the same time.
 * @param {readonly Lane[]} lanes
 * @param {(job: Job, lane: Lane) => Promise<void>} run It does not reject.
 */
export function runInLanes(jobs, lanes, run) {
  const waiting = [...jobs];
  const free = [...lanes];
  const used = new Set();
  return new Promise((resolve) => {
    const startWhatMayRun = () => {
      for (const lane of [...free]) {
        const at = waiting.findIndex(({ uses, kindOfLane }) => !used.has(uses) && kindOfLane === lane.kind);
        if (at < 0) continue;
        free.splice(free.indexOf(lane), 1);
        void start(...waiting.splice(at, 1), lane);
      }
      if (waiting.length === 0 && free.length === lanes.length) resolve();
    };
    const start = async (job, lane) => {
      if (job.uses !== undefined) used.add(job.uses);
      await run(job, lane);
      used.delete(job.uses);
      // First in line, because its loaded modules serve the next job of its part.
      free.unshift(lane);
      startWhatMayRun();
    };
    startWhatMayRun();
  });
}
