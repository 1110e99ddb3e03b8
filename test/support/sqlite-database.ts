import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { projectFolder } from './vscode-host.ts';

/** Runs these statements on an SQLite file, which need not exist. */
export function createSqliteFile(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

/** Runs `use` while another program has the file locked. */
export async function whileLocked<T>(folder: string, path: string, use: () => Promise<T>): Promise<T> {
  const script = join(folder, 'writer.mjs');
  const sqlite = join(projectFolder, 'node_modules/@photostructure/sqlite/dist/index.mjs');
  await writeFile(
    script,
    `import { DatabaseSync } from ${JSON.stringify(sqlite)};
     const database = new DatabaseSync(${JSON.stringify(path)});
     database.exec('BEGIN EXCLUSIVE');
     process.send('locked');
     process.on('message', () => { database.close(); process.disconnect(); });`,
  );
  const writer = fork(script, [], { execArgv: [] });
  try {
    await once(writer, 'message');
    return await use();
  } finally {
    const ended = once(writer, 'exit');
    writer.send('close');
    await ended;
  }
}
