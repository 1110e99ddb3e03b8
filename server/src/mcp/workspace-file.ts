import { realpath } from 'node:fs/promises';
import ownRules, { type PlatformPath, basename, dirname, join, relative, resolve } from 'node:path';
import { isInside } from '../files/follow-links.ts';
import { isEntityFile, isSearched, isSourcesFile, isTestFile } from '../project/list-entity-files.ts';
import { ToolError } from './tool.ts';

/** What files of a workspace tools are about. */
const kinds = {
  graph: {
    isOne: (name: string) => isEntityFile(name) || isTestFile(name),
    words: 'entity graph or file of tests: *.entity.yaml, *.entity.test.yaml',
  },
  sources: { isOne: isSourcesFile, words: 'data sources file: entity-sources.yaml' },
} as const;

/**
 * The absolute path of a file of the workspace, links followed. Rejects with a `ToolError` for a file outside of the
 * workspace or in a folder that is not searched, for one of another kind, and for one that is not there.
 * @param root the folder of the workspace, links followed
 * @param options `mayBeNew`: a file that is not there is fine
 */
export async function workspaceFile(
  root: string,
  path: string,
  kind: keyof typeof kinds,
  { mayBeNew = false }: { readonly mayBeNew?: boolean } = {},
): Promise<string> {
  const asked = resolve(root, path);
  // A name that is not there is looked up in its folder, so that nothing is told of files outside.
  const folder = await realpath(dirname(asked)).catch(() => undefined);
  if (!namesInside(path, root) || (folder !== undefined && !isInside(folder, root))) throw outside(path);
  const found = folder === undefined ? undefined : await realpath(asked).catch(() => undefined);
  if (found !== undefined && !isInside(found, root)) throw outside(path);
  const { isOne, words } = kinds[kind];
  const file = found ?? join(folder ?? dirname(asked), basename(asked));
  if (![asked, file].every((each) => isOne(basename(each)) && isSearched(relative(root, each))))
    throw new ToolError(`${path} is no ${words}.`);
  if (found === undefined && !(mayBeNew && folder !== undefined))
    throw new ToolError(`There is no file ${path} in the workspace. list_graphs lists them.`);
  return file;
}

/**
 * Whether a path is one of the workspace by its name, before links are followed. On Windows no other name of a device,
 * of a stream of a file, or of a file whose name ends in dots or blanks is one.
 * @param root absolute
 * @param rules those of another system, for tests
 */
export function namesInside(path: string, root: string, rules: PlatformPath = ownRules): boolean {
  const asked = rules.resolve(root, path);
  if (!isInside(asked, root, rules)) return false;
  const parts = rules.relative(root, asked).split(rules.sep);
  return rules.sep === '/' || !parts.some((part) => /[:*?"<>|]|[. ]$/.test(part) || deviceName.test(part));
}

/** Names of devices of Windows, with any extension. */
const deviceName = /^(con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3]|conin\$|conout\$) *(\.|$)/i;

function outside(path: string): ToolError {
  return new ToolError(`${path} is not in the workspace, whose files only are read.`);
}
