// Counts the calls of functions in the language server; each SIGUSR2 writes what was called since the one before.
const { appendFileSync } = require('node:fs');
const { Session } = require('node:inspector');

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
process.on('SIGUSR2', () => {
  session.post('Profiler.takePreciseCoverage', (error, { result } = { result: [] }) => {
    const programs = result
      .filter(({ url }) => url.endsWith('main.program.js'))
      .map(({ url, functions }) => ({
        path: url,
        starts: functions
          .map(({ ranges: [{ startOffset, count }] }) => (count > 0 ? startOffset : 0))
          .filter((start) => start > 0),
      }));
    appendFileSync(process.env.KEYSTROKE_CALLS, `${JSON.stringify(programs)}\n`);
  });
});
