import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { repositoryOf, runGit } from './run-git.ts';

/** What the history of a Git repository knows about a file. Times are ISO 8601 in UTC. */
export interface CommittedDefinition {
  /** First commit of the file, also under earlier names. */
  readonly created: string;
  /** Last commit that changed its content. */
  readonly modified: string;
  /** Whether a text is the content of the last commit. */
  has(text: string): boolean;
}

/** By absolute path; files that are not committed are missing. */
export type CommittedDefinitions = ReadonlyMap<string, CommittedDefinition>;

/** Reads the Git history of files. Never rejects: without Git, or when it takes too long, nothing is known. */
export type GitReader = (files: readonly string[]) => Promise<CommittedDefinitions>;

const pathPatterns = ['*.entity.yaml', '*.entity.yml', '*.entity.json'];

/**
 * A reader that reads each repository again only after a commit or checkout. Not for untrusted workspaces: `git` obeys
 * the configuration of the repository.
 */
export function createGitReader(program = 'git'): GitReader {
  const known = new Map<string, { readonly head: string; readonly files: Promise<CommittedDefinitions> }>();

  async function repositoryFiles(root: string): Promise<CommittedDefinitions> {
    const head = (await runGit(program, root, ['rev-parse', 'HEAD']).catch(() => '')).trim();
    if (head === '') return new Map();
    const before = known.get(root);
    if (before?.head === head) return before.files;
    const files = readRepository(program, root, head).catch((): CommittedDefinitions => new Map());
    known.set(root, { head, files });
    return files;
  }

  return async (files) => {
    const roots = new Set<string>();
    for (const folder of new Set(files.map((file) => dirname(file)))) {
      const root = await repositoryOf(folder);
      if (root !== undefined) roots.add(root);
    }
    const repositories = await Promise.all([...roots].map(repositoryFiles));
    return new Map(repositories.flatMap((each) => [...each]));
  };
}

async function readRepository(program: string, root: string, head: string): Promise<CommittedDefinitions> {
  const [log, tree] = await Promise.all([
    runGit(program, root, [
      ...['log', '-z', '-M', '--format=%x01%aI', '--name-status', '--no-ext-diff', '--no-textconv', head, '--'],
      ...pathPatterns,
    ]),
    runGit(program, root, ['ls-tree', '-r', '-z', '--full-tree', head]),
  ]);
  const times = committedTimes(log);
  const files = new Map<string, CommittedDefinition>();
  for (const [, blob, path] of tree.matchAll(/[0-7]+ blob ([0-9a-f]+)\t([^\0]*)\0/g)) {
    const found = path === undefined ? undefined : times.get(path);
    if (path === undefined || blob === undefined || !found) continue;
    files.set(join(root, ...path.split('/')), { ...found, has: (text) => isBlob(blob, text) });
  }
  return files;
}

/** Times by path from `git log -z --name-status`, newest commit first. */
export function committedTimes(
  log: string,
): ReadonlyMap<string, { readonly created: string; readonly modified: string }> {
  const times = new Map<string, { created: string; modified: string | undefined }>();
  /** The present path of a file by its path at the commit being read. */
  const present = new Map<string, string>();
  const tokens = log.split('\0').values();
  let time = '';
  for (const token of tokens) {
    if (token.startsWith('\u0001')) {
      time = new Date(token.slice(1).trim()).toISOString();
      continue;
    }
    const status = token.trim();
    if (status === '') continue;
    const first = tokens.next().value ?? '';
    const isMove = /^[RC]/.test(status);
    const path = isMove ? (tokens.next().value ?? '') : first;
    const name = present.get(path) ?? path;
    const before = times.get(name);
    // The content of a file that was only moved is older.
    const modified = before?.modified ?? (status === 'R100' ? undefined : time);
    if (status !== 'D') times.set(name, { created: time, modified });
    if (isMove) present.set(first, name);
    // Commits before are those of another file at this path.
    if (status === 'A' || status === 'D' || isMove) present.set(path, '');
  }
  times.delete('');
  return new Map([...times].map(([path, { created, modified }]) => [path, { created, modified: modified ?? created }]));
}

/** Git names content by its hash, SHA-1 or SHA-256 by repository; it may convert line ends on checkout. */
function isBlob(blob: string, text: string): boolean {
  const algorithm = blob.length === 64 ? 'sha256' : 'sha1';
  return [text, text.replaceAll('\r\n', '\n')].some((each) => {
    const content = Buffer.from(each);
    return createHash(algorithm).update(`blob ${content.length}\0`).update(content).digest('hex') === blob;
  });
}
