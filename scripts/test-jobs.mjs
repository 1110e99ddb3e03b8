import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';

/**
 * The jobs of test parts: checks, a script, or files. The longest come first, so that lanes end together; those that run
 * one after the other, because they use the same thing, count as long as all of them.
 * @param {readonly import('./test-parts.mjs').testParts[number][]} parts
 * @param {(name: string) => { seconds: number }} timeOf how long a job took the last time
 */
export function jobsOf(parts, timeOf) {
  const jobs = parts.flatMap(jobsOfPart);
  const secondsOf = ({ name, uses }) =>
    uses === undefined
      ? timeOf(name).seconds
      : jobs.filter((job) => job.uses === uses).reduce((sum, job) => sum + timeOf(job.name).seconds, 0);
  return jobs
    .map((job) => ({ job, seconds: secondsOf(job) }))
    .sort((one, other) => other.seconds - one.seconds)
    .map(({ job }) => job);
}

function jobsOfPart(part) {
  const { name, checks, script, uses, lane } = part;
  if (checks) return checks.map((check) => ({ part, kind: 'check', ...check }));
  if (script) return [{ part, kind: 'script', name, script, uses, kindOfLane: lane }];
  const cases = part.cases?.().cases;
  const files = testFiles(name).filter((file) => cases === undefined || cases.has(file));
  return files.map((file) => ({
    part,
    kind: 'file',
    name: file.slice('test/'.length),
    file,
    uses,
    kindOfLane: lane,
    cases: cases?.get(file),
  }));
}

function testFiles(part) {
  const files = readdirSync(join(root, 'test', part), { recursive: true })
    .map((file) => `test/${part}/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.test.ts'))
    .sort();
  if (files.length === 0) throw new Error(`There is no test/${part}/**/*.test.ts.`);
  return files;
}
