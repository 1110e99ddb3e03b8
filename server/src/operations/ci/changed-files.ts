import { join, relative } from 'node:path';
import { repositoryOf, runGit } from '../../project/run-git.ts';
import { OperationError } from '../operation-error.ts';

/** Comparing a large repository with an old commit takes a while. */
const timeLimitMs = 60_000;

/**
 * Absolute paths of the files of a folder's Git repository that differ from the merge base of `ref` and the current
 * commit: committed, uncommitted and new ones. Rejects with an `OperationError` if there is no repository or no such
 * commit.
 */
export async function changedFiles(folder: string, ref: string, program = 'git'): Promise<ReadonlySet<string>> {
  const { root, git, base } = await mergeBase(folder, ref, program);
  const differing = ['diff', '--name-only', '-z', '--no-renames', '--no-ext-diff', '--no-textconv', base, '--'];
  const [changed, added] = await Promise.all([
    git(...differing),
    git('ls-files', '--others', '--exclude-standard', '--full-name', '-z', '--', ':/'),
  ]);
  return new Set(pathsOf(`${changed}${added}`, root));
}

/** Absolute paths of the files in and below a folder at the merge base of `ref` and the current commit. Rejects as above. */
export async function committedFiles(folder: string, ref: string): Promise<readonly string[]> {
  const { root, git, base } = await mergeBase(folder, ref, 'git');
  const below = relative(root, folder).replaceAll('\\', '/');
  return pathsOf(
    await git('ls-tree', '-r', '-z', '--name-only', '--full-tree', base, '--', below === '' ? '.' : below),
    root,
  );
}

function pathsOf(listed: string, root: string): readonly string[] {
  const paths = listed.split('\0').filter((path) => path !== '');
  return paths.map((path) => join(root, ...path.split('/')));
}

interface MergeBase {
  readonly root: string;
  readonly git: (...args: readonly string[]) => Promise<string>;
  /** The hash of the commit. */
  readonly base: string;
}

async function mergeBase(folder: string, ref: string, program: string): Promise<MergeBase> {
  const root = await repositoryOf(folder);
  if (root === undefined) {
    throw new OperationError({
      code: 'no-repository',
      message: `${folder} is not in a Git repository, so what changed since ${ref} is not known.`,
      remedy: `Leave out the option with ${ref}, or name a folder of a repository.`,
    });
  }
  const git = (...args: readonly string[]): Promise<string> => runGit(program, root, args, timeLimitMs);
  const commit = await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`).catch(
    (error: unknown) => {
      throw new OperationError(
        {
          code: 'unknown-commit',
          message: `There is no commit ${ref} in ${root}.`,
          remedy: 'Fetch it first: build servers often fetch one commit only (fetch-depth: 0 fetches all).',
        },
        error,
      );
    },
  );
  // Later commits of `ref` are not changes of this branch.
  const base = await git('merge-base', commit.trim(), 'HEAD').catch(() => commit);
  return { root, git, base: base.trim() };
}
