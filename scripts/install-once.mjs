import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';

/**
 * Makes a folder with what `install` puts into it, unless it is there. It is made aside and renamed at the end, so that what an
 * interrupted or a second set-up leaves is never used.
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
