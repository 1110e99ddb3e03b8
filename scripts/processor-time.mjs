import { readdirSync, readFileSync } from 'node:fs';

/** Unit of the times in `/proc/PID/stat`. */
const ticksPerSecond = 100;

/**
 * Processor seconds used so far by a process and its descendants, including ended ones. Undefined where the system has
 * no `/proc`.
 * @param {number} pid
 * @returns {number | undefined}
 */
export function processorSeconds(pid) {
  if (process.platform !== 'linux') return undefined;
  const processes = readdirSync('/proc').flatMap(readProcess);
  const tree = processes.filter((each) => each.pid === pid);
  // Grows while it is walked.
  for (const { pid } of tree) tree.push(...processes.filter(({ parent }) => parent === pid));
  return tree.reduce((sum, { ticks }) => sum + ticks, 0) / ticksPerSecond;
}

/** Empty for a name that is not the id of a running process. */
function readProcess(name) {
  if (!/^\d+$/u.test(name)) return [];
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
    // The name of the program, in parentheses, may contain anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return [{ pid: Number(name), parent: Number(fields[1]), ticks }];
  } catch {
    return [];
  }
}
