import { stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type { EffectBase } from '../../../../protocol/graph-effect.ts';
import type { GraphFile, ProjectContext } from '../../project/open-project.ts';
import { graphKeys } from '../../model/format-keys.ts';
import { meaningOf } from '../../model/meaning.ts';
import { parseEntityGraph } from '../../model/parse-model.ts';
import { readGraphFile } from '../../project/open-project.ts';
import { repositoryOf, runGit } from '../../project/run-git.ts';
import { readStatus } from '../../state/status-file.ts';
import { placeOfFile } from '../graph-files/entity-files.ts';
import { OperationError } from '../operation-error.ts';

/** Comparing a large repository with an old commit takes a while. */
const timeLimitMs = 60_000;

/** A base with its text; without one, the base does not have the graph. */
export interface BaseText {
  readonly base: EffectBase;
  readonly text: string | undefined;
}

/**
 * The text of a graph to compare with: `last` is that of the last import; otherwise a file of this name, or a commit.
 * Rejects with an `OperationError`.
 */
export async function readBase(file: GraphFile, name: string, projectContext: ProjectContext): Promise<BaseText> {
  if (name === 'last') return lastImport(file, projectContext);
  const path = resolve(name);
  const written = await stat(path).then(
    (found) => (found.isFile() ? found.mtime : undefined),
    () => undefined,
  );
  if (!written) return committed(file, name);
  const { text } = await readGraphFile(path, projectContext);
  const reason = noGraphReason(text);
  if (reason !== undefined) {
    throw new OperationError({
      code: 'no-entity-graph',
      message: `${path} is no entity graph: ${reason}.`,
      file: path,
      remedy: 'Name another text of the graph as --base: a file, a commit or branch, or last.',
    });
  }
  return { base: { kind: 'file', name, path, time: written.toISOString() }, text };
}

/** Why a text is no entity graph at all; undefined for one that may have mistakes. */
function noGraphReason(text: string): string | undefined {
  // What the decoder writes for bytes that are no text.
  if (/[\0\uFFFD]/.test(text)) return 'it is no text';
  const { yaml, problems } = parseEntityGraph(text);
  if (problems.some(({ code }) => code === 'yaml-syntax')) return undefined;
  const { contents } = yaml.document;
  if (contents === null) return 'it is empty';
  const keys = Object.keys(meaningOf(yaml) ?? {});
  const isPart = (key: string): boolean => graphKeys.includes(key) && !commonKeys.includes(key);
  return keys.some(isPart) ? undefined : 'it has no elements or other parts of one';
}

/** Keys that files of other kinds have, too. */
const commonKeys = ['version', 'name', 'description'];

async function lastImport(file: GraphFile, projectContext: ProjectContext): Promise<BaseText> {
  const place = await placeOfFile(file.path, projectContext);
  const { text, imported } = place ? await readStatus(place.stateFolder, place.entity) : {};
  if (text === undefined) {
    throw new OperationError({
      code: 'not-imported',
      message: `${file.path} has not been imported yet, so there is no text to compare with.`,
      file: file.path,
      remedy: 'Import it first, or name a commit or another file: --base origin/main.',
    });
  }
  return { base: { kind: 'last', name: 'last', path: file.path, ...(imported && { time: imported }) }, text };
}

/** Of a branch that has gone on, the commit where it and the current one parted counts. */
async function committed(file: GraphFile, ref: string): Promise<BaseText> {
  const root = await repositoryOf(dirname(file.path));
  if (root === undefined) {
    throw new OperationError({
      code: 'no-repository',
      message: `${ref} is no file, and ${file.path} is not in a Git repository.`,
      remedy: 'Name a file as --base, or leave it out to compare with the last import.',
    });
  }
  const git = (...args: readonly string[]): Promise<string> => runGit('git', root, args, timeLimitMs);
  const commit = await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`).catch(
    async (error: unknown) => {
      const isShallow = (await git('rev-parse', '--is-shallow-repository').catch(() => '')).trim() === 'true';
      throw new OperationError(
        {
          code: 'unknown-commit',
          message: `${ref} is no file, and there is no such commit in ${root}${isShallow ? ', which is a shallow clone' : ''}.`,
          remedy: isShallow
            ? 'Fetch it first: build servers often fetch one commit only (fetch-depth: 0 fetches all).'
            : 'Fetch it first, or name another commit or a file.',
        },
        error,
      );
    },
  );
  const base = (await git('merge-base', commit.trim(), 'HEAD').catch(() => commit)).trim();
  const name = relative(root, file.path).replaceAll('\\', '/');
  const earlier = await nameAt(git, base, name);
  const time = (await git('log', '-1', '--format=%cI', '--end-of-options', base)).trim();
  const found = { kind: 'commit', name: ref, commit: base, time } as const;
  if (earlier === undefined) return { base: { ...found, path: file.path }, text: undefined };
  const text = (await git('cat-file', 'blob', `${base}:${earlier}`)).replace(/^\uFEFF/, '');
  return { base: { ...found, path: join(root, ...earlier.split('/')) }, text };
}

/** The name of a file at a commit, also if it was renamed since; undefined if the commit does not have it. */
async function nameAt(
  git: (...args: readonly string[]) => Promise<string>,
  commit: string,
  name: string,
): Promise<string | undefined> {
  const listed = await git('ls-tree', '-z', '--name-only', '--full-tree', commit, '--', name);
  if (listed !== '') return name;
  const renames = ['diff', '--name-status', '-z', '-M', '--diff-filter=R', '--no-ext-diff', '--no-textconv'];
  const [...fields] = (await git(...renames, commit, '--')).split('\0');
  for (let at = 0; at + 2 < fields.length; at += 3) if (fields[at + 2] === name) return fields[at + 1];
  return undefined;
}
