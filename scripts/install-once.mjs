import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';

/**
 * Creates a folder with the results of `install`, unless it exists. It is created under a temporary name and renamed,
 * so that incomplete results of an interrupted or concurrent run are never used.
 * @param {string} folder
 * @param {(draft: string) => Promise<void>} install
 */
export async function installOnce(folder, install) {
  if (existsSync(folder)) return;
  const draft = `${folder}.${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  try {
    await install(draft);
    if (!existsSync(folder)) renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
