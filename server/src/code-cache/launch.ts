// Starts the program beside this file (`cli.program.js` beside `cli.js`) with the code that V8 compiled the last time.
import { basename, join } from 'node:path';
import { codeCacheFolder } from './code-cache-folder.ts';
import { loadProgram } from './load-program.ts';

/** Commands of the command line run different parts of it. */
const [, , command = ''] = process.argv;

const program = loadProgram(join(__dirname, `${basename(__filename, '.js')}.program.js`), {
  require,
  folder: codeCacheFolder(process.env),
  use: /^[a-z][a-z-]{1,19}$/.test(command) ? command : undefined,
});

// Functions are compiled when they are first called, so the end is the time to keep them. A wrong use of the command
// line (2) has compiled nothing of interest.
process.on('exit', (code) => {
  if (code === 0 || code === 1) program.keepCode();
});
