import { execFileSync } from 'node:child_process';
import { root } from '../paths.mjs';

/**
 * The files that differ from a commit, deleted, uncommitted and untracked ones included; undefined when there is no such
 * commit, as in a clone of the newest one.
 * @param {string} [base] default: where this branch left `main`, and on `main` the commit before
 * @returns {{ base: string, files: readonly string[] } | undefined}
 */
export function changedFiles(base, folder = root) {
  const git = (...args) => {
    const options = { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 28 };
    return execFileSync('git', args, options);
  };
  const commit = commitOf(git, base ?? usualBase(git));
  if (commit === undefined) {
    if (base !== undefined) throw new Error(`There is no commit "${base}".`);
    return undefined;
  }
  // A renamed file counts with both names.
  const changed = git('diff', '--name-only', '--no-renames', '-z', commit);
  const untracked = git('ls-files', '--others', '--exclude-standard', '-z');
  const files = `${changed}${untracked}`.split('\0').filter((file) => file !== '');
  return { base: commit, files: [...new Set(files)].sort() };
}

function usualBase(git) {
  const head = commitOf(git, 'HEAD');
  const main = commitOf(git, 'main') ?? commitOf(git, 'origin/main');
  const common = main && attempt(() => git('merge-base', 'HEAD', main).trim());
  return common === undefined || common === head ? 'HEAD~1' : common;
}

function commitOf(git, name) {
  return attempt(() => git('rev-parse', '--verify', '--quiet', `${name}^{commit}`).trim());
}

function attempt(work) {
  try {
    return work();
  } catch {
    return undefined;
  }
}
