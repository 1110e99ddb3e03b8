import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openSession } from '../../server/src/store/duckdb-session.ts';
import { projectFolder } from './vscode-host.ts';

/** Creates a DuckDB database file with these statements. */
export async function createDuckdbFile(path: string, statements: readonly string[]): Promise<void> {
  const session = await openSession(path, {});
  try {
    for (const sql of statements) await session.run(sql);
  } finally {
    await session.close();
  }
}

/** Runs `use` while another program has the file open for writing. */
export async function whileWritten<T>(folder: string, path: string, use: () => Promise<T>): Promise<T> {
  const script = join(folder, 'writer.mjs');
  const duckdb = join(projectFolder, 'node_modules/@duckdb/node-api/lib/index.js');
  await writeFile(
    script,
    `const { DuckDBInstance } = (await import(${JSON.stringify(duckdb)})).default;
     const instance = await DuckDBInstance.create(${JSON.stringify(path)});
     process.send('open');
     process.on('message', () => { instance.closeSync(); process.disconnect(); });`,
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

/** Runs statements in a process of its own, as another program does: files are locked against other processes only. */
export async function runElsewhere(path: string, sql: string): Promise<void> {
  const duckdb = join(projectFolder, 'node_modules/@duckdb/node-api/lib/index.js');
  const script = `
    const { DuckDBInstance } = (await import(${JSON.stringify(duckdb)})).default;
    const instance = await DuckDBInstance.create(${JSON.stringify(path)});
    await (await instance.connect()).run(${JSON.stringify(sql)});
    instance.closeSync();`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
}
