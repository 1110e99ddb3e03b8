// Records which functions of the project a process calls. Loaded with `--require` into every Node process that a test
// starts, its worker threads included; CommonJS, because it must run before the program.
const { appendFileSync, mkdirSync } = require('node:fs');
const { Session } = require('node:inspector');
const { join, sep } = require('node:path');
const { fileURLToPath } = require('node:url');
const { threadId } = require('node:worker_threads');

const root = join(__dirname, '../..');
const variable = 'ENTITY_GRAPH_CALLS';

/**
 * How often calls are written, in milliseconds: tests kill processes, which write nothing at their end. The first time is
 * earlier, for programs that are killed soon.
 */
const [firstAfter, every] = [250, 1000];

/** Of files with the calls of modules that were loaded. */
const suffixWhileLoading = '-loading';

let session;
let written;

/**
 * Records into a file of this folder from now on, here and in processes that are started from now on; `undefined` ends
 * it. What was called before is written into the folder before.
 * @param {string | undefined} folder
 * @param {{ whileLoading?: boolean }} [options] `whileLoading`: until `endLoading` is called, modules are loaded, which
 *   are not loaded again for later test files of this process
 */
function recordInto(folder, { whileLoading = false } = {}) {
  if (written !== undefined) {
    write();
    session.post('Profiler.stopPreciseCoverage');
    written = undefined;
  }
  if (folder === undefined) {
    delete process.env[variable];
    return;
  }
  // V8 does not report the functions of code that it compiled in an earlier process. Tests of that code allow it again.
  if (process.env[variable] === undefined) process.env.NODE_DISABLE_COMPILE_CACHE = '1';
  process.env[variable] = folder;
  process.env.NODE_OPTIONS = optionsWithThis(process.env.NODE_OPTIONS ?? '');
  session ??= connect();
  mkdirSync(folder, { recursive: true });
  written = join(folder, `${process.pid}-${threadId}${whileLoading ? suffixWhileLoading : ''}`);
  // Without counts, V8 may optimise what it has reported. A start forgets what was reported.
  session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: false });
}

function endLoading() {
  if (written === undefined) return;
  write();
  written = written.slice(0, -suffixWhileLoading.length);
}

/** Notes that the test in this process has loaded a whole bundle into a page, whose calls are not recorded. */
function recordBundle(path) {
  if (written !== undefined) appendFileSync(written, `${JSON.stringify({ bundle: path })}\n`);
}

module.exports = { recordInto, endLoading, recordBundle, suffixWhileLoading };

if (process.env[variable] && isOfProject(process.argv)) {
  recordInto(process.env[variable]);
  const writeOften = () => {
    write();
    setTimeout(writeOften, every).unref();
  };
  setTimeout(writeOften, firstAfter).unref();
  process.on('exit', write);
}

function connect() {
  const own = new Session();
  own.connect();
  own.post('Profiler.enable');
  return own;
}

/** VS Code starts processes that run no code of the project. */
function isOfProject([, script = '', ...args]) {
  return isOwn(script) || script === '' || args.includes('--type=extensionHost');
}

function optionsWithThis(options) {
  const own = `--require ${JSON.stringify(__filename)}`;
  return options.includes(own) ? options : `${options} ${own}`.trim();
}

/**
 * Writes what was called since the last time: positions in bundles, and names in TypeScript modules, which tsx may have
 * loaded in two forms with different positions.
 */
function write() {
  if (written === undefined) return;
  session.post('Profiler.takePreciseCoverage', (error, { result } = { result: [] }) => {
    const lines = result.flatMap(({ url, functions }) => {
      const path = url.startsWith('file:') ? fileURLToPath(url) : url;
      if (!isOwn(path)) return [];
      const called = functions.filter(({ ranges: [{ count }] }) => count > 0);
      if (isBundle(path)) {
        // The first one is the whole program.
        const starts = called.map(({ ranges: [{ startOffset }] }) => startOffset).filter((start) => start > 0);
        return starts.length > 0 ? [JSON.stringify({ path, starts })] : [];
      }
      // Those with underscores are added by tsx, and called when a module is loaded.
      const names = called.map(({ functionName }) => functionName).filter((name) => /^[^_<]|^_[^_]/.test(name));
      return names.length > 0 ? [JSON.stringify({ path, names: [...new Set(names)] })] : [];
    });
    if (lines.length > 0) appendFileSync(written, `${lines.join('\n')}\n`);
  });
}

function isOwn(path) {
  return (path.startsWith(root + sep) && !path.includes(`${sep}node_modules${sep}`)) || isBundle(path);
}

/** Bundles are also in the folder of the installed extension. */
function isBundle(path) {
  return /[\\/](server|client)[\\/]dist[\\/][^\\/]+\.c?js$/.test(path);
}
