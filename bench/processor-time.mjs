import { writeFileSync } from 'node:fs';

/**
 * Preloaded into a program: writes the processor time of all its threads, in seconds, into the file named by
 * `PROCESSOR_TIME_FILE`. Node does not report it to a parent process.
 */
process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  const file = process.env.PROCESSOR_TIME_FILE;
  if (file !== undefined) writeFileSync(file, String((user + system) / 1e6));
});
