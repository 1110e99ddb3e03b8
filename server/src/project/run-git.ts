import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** Per call of `git`. */
const usualTimeLimitMs = 3_000;
const maxBytes = 64 * 1024 * 1024;

/** The innermost folder with a `.git`, at or above a folder. */
export async function repositoryOf(folder: string): Promise<string | undefined> {
  const isRoot = await access(join(folder, '.git')).then(
    () => true,
    () => false,
  );
  if (isRoot) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : repositoryOf(parent);
}

/** Runs without a shell, writes nothing, asks for nothing and runs no other program. */
export async function runGit(
  program: string,
  root: string,
  args: readonly string[],
  timeLimitMs = usualTimeLimitMs,
): Promise<string> {
  const { GIT_DIR: _dir, GIT_WORK_TREE: _tree, GIT_INDEX_FILE: _index, ...environment } = process.env;
  const settings = ['log.showSignature=false', 'core.fsmonitor=false', 'core.quotePath=false'];
  const { stdout } = await promisify(execFile)(
    program,
    ['--no-pager', ...settings.flatMap((setting) => ['-c', setting]), '-C', root, ...args],
    {
      // On Windows programs are looked for in the working folder first.
      cwd: dirname(process.execPath),
      env: { ...environment, GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', GIT_NO_LAZY_FETCH: '1' },
      timeout: timeLimitMs,
      killSignal: 'SIGKILL',
      maxBuffer: maxBytes,
      windowsHide: true,
    },
  );
  return stdout;
}
