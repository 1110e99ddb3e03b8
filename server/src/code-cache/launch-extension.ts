// What VS Code loads as the extension: runs the program beside this file with the code that V8 compiled the last time.
import { join } from 'node:path';
import { codeCacheFolder } from './code-cache-folder.ts';
import { loadProgram } from './load-program.ts';

/** What `client/src/extension.ts` exports. */
interface Extension {
  activate(context: unknown): void;
}

/** Milliseconds until the code is kept: functions are compiled when they are first called. */
const untilKeptMs = 5000;

/**
 * VS Code asks its window for the stored state of the extension before the activation, and sends this question when this
 * file has run. The program is loaded a turn of the event loop later, while the window answers.
 */
const loading = new Promise((resolve) => setTimeout(resolve)).then(() =>
  loadProgram(join(__dirname, 'extension.program.cjs'), { require, folder: codeCacheFolder(process.env) }),
);

/** Resolves when all commands and views are registered. */
export async function activate(context: unknown): Promise<void> {
  const program = await loading;
  (program.exports as Extension).activate(context);
  setTimeout(() => program.keepCode(), untilKeptMs).unref();
}
