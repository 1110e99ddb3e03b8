import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';

/**
 * The jobs of a test part: checks, a script, or files, the longest first, so that lanes end together.
 * @param {import('./test-parts.mjs').testParts[number]} part
 */
export function jobsOf(part) {
  const { name, checks, script, uses, lane } = part;
  if (checks) return checks.map((check) => ({ part, kind: 'check', ...check }));
  if (script) return [{ part, kind: 'script', name, script, uses, kindOfLane: lane }];
  const waiting = new Set(pathsOf(part, part.waiting));
  const parallel = new Set(pathsOf(part, part.parallel));
  const cases = part.cases?.().cases;
  const files = testFiles(part).filter((file) => cases === undefined || cases.has(file));
  return files.map((file) => {
    const duckdbThreads = parallel.has(file) ? undefined : part.duckdbThreads;
    return {
      part,
      kind: 'file',
      name: file.slice('test/'.length),
      file,
      uses,
      kindOfLane: waiting.has(file) ? 'waiting' : lane,
      duckdbThreads,
      cases: cases?.get(file),
    };
  });
}

const pathsOf = ({ name }, files = []) => files.map((file) => `test/${name}/${file}.test.ts`);

function testFiles(part) {
  const { name, longest, waiting, parallel } = part;
  const folder = `test/${name}`;
  const files = readdirSync(join(root, folder), { recursive: true })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.test.ts'))
    .sort();
  if (files.length === 0) throw new Error(`There is no ${folder}/**/*.test.ts.`);
  const first = pathsOf(part, longest);
  const missing = [...first, ...pathsOf(part, waiting), ...pathsOf(part, parallel)].find(
    (file) => !files.includes(file),
  );
  if (missing) throw new Error(`${missing}, which scripts/test-parts.mjs names, does not exist.`);
  return [...first, ...files.filter((file) => !first.includes(file))];
}
