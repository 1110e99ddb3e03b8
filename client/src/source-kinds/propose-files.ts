import { type Uri, workspace } from 'vscode';
import { proposedPattern } from './proposed-pattern.ts';

/** Files looked at; more are proposed as a pattern anyway. */
const maxFiles = 200;

/**
 * The data files below a folder: the only one by its path, else a pattern for the folder and extension with the most.
 * Undefined when there are none.
 */
export async function proposeFiles(folder: Uri, endings: readonly string[]): Promise<string | undefined> {
  const pattern = `**/*.{${endings.flatMap((ending) => [ending, `${ending}.gz`]).join(',')}}`;
  const found = await workspace.findFiles(pattern, '**/{node_modules,.*}/**', maxFiles);
  const start = `${folder.path.replace(/\/$/, '')}/`;
  const paths = found.filter(({ path }) => path.startsWith(start)).map(({ path }) => path.slice(start.length));
  return proposedPattern(paths);
}
