// Starts the program beside this file (`cli.program.js` beside `cli.js`) with the code that V8 compiled the last time.
import { basename, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { codeCacheFolder } from './code-cache-folder.ts';
import { loadProgram } from './load-program.ts';

/** Commands of the command line run different parts of it. */
const [, , command = '', ...args] = process.argv;

const own = basename(__filename, '.js');
/**
 * Node 20 optimizes functions so early that a command that runs for a second spends half of its processor time on it. Later
 * versions, which have a cheaper compiler before the optimizing one, do not, and do not know the flag.
 */
if (own === 'cli' && process.versions.v8.startsWith('11.')) setFlagsFromString('--interrupt-budget=500000');
/** A server that waits most of its time is a small program of its own. */
const name = own === 'cli' && command === 'mcp' && !args.includes('--help') && !args.includes('-h') ? 'mcp' : own;

const program = loadProgram(join(__dirname, `${name}.program.js`), {
  require,
  folder: codeCacheFolder(process.env),
  use: /^[a-z][a-z-]{1,19}$/.test(command) ? command : undefined,
});

// Functions are compiled when they are first called, so the end is the time to keep them. A wrong use of the command
// line (2) has compiled nothing of interest.
process.on('exit', (code) => {
  if (code === 0 || code === 1) program.keepCode();
});
