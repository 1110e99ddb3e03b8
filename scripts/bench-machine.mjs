import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { root } from './paths.mjs';

/** The properties of the machine that figures depend on. */
export function thisMachine() {
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown processor',
    cores: availableParallelism(),
    memoryGigabytes: Math.round(totalmem() / 1e9),
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
  };
}

export function describeMachine({ processor, cores, memoryGigabytes, platform, node }) {
  return `${processor}, ${cores} cores, ${memoryGigabytes} GB, ${platform}, Node ${node}`;
}

/** Mean number of processes that ran or waited for a processor in the last 1, 5 and 15 minutes; zeros on Windows. */
export function currentLoad() {
  return loadavg().map((each) => Math.round(each * 100) / 100);
}

/** Short id, with `+` when files differ from it; undefined without Git. */
export function currentCommit() {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
  try {
    return git('rev-parse', '--short=8', 'HEAD') + (git('status', '--porcelain') === '' ? '' : '+');
  } catch {
    return undefined;
  }
}
