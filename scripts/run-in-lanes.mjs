/**
 * Runs jobs in lanes: a lane that is free takes the first job that may run, until none is left. Resolves after the last.
 * @template {{ readonly uses?: string }} Job
 * @param {readonly Job[]} jobs Those that use the same thing never run at the same time.
 * @param {readonly Lane[]} lanes
 * @param {(job: Job, lane: Lane) => Promise<void>} run It does not reject.
 * @template Lane
 */
export function runInLanes(jobs, lanes, run) {
  const waiting = [...jobs];
  const free = [...lanes];
  const used = new Set();
  return new Promise((resolve) => {
    const startWhatMayRun = () => {
      while (free.length > 0) {
        const at = waiting.findIndex(({ uses }) => !used.has(uses));
        if (at < 0) break;
        void start(...waiting.splice(at, 1), free.shift());
      }
      if (waiting.length === 0 && free.length === lanes.length) resolve();
    };
    const start = async (job, lane) => {
      if (job.uses !== undefined) used.add(job.uses);
      await run(job, lane);
      used.delete(job.uses);
      free.push(lane);
      startWhatMayRun();
    };
    startWhatMayRun();
  });
}
