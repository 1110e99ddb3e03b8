// Loaded before all Node processes of the tests (`--require`), which start the server's programs many hundred times:
// keeps their compiled code, as `module.enableCompileCache` does since Node 22. ENTITY_GRAPH_CODE_CACHE is the folder.
const { readFileSync, renameSync, statSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { basename, dirname, join } = require('node:path');
const vm = require('node:vm');

// Tests that interrupt a process at a write count no writes of this file.
const { ENTITY_GRAPH_CODE_CACHE: folder, ENTITY_GRAPH_AT_WRITE: interrupted } = process.env;

/** Each writer adds the functions that it called first; after this number the common ones are there. */
const mostWriters = 8;

if (folder !== undefined) {
  const { _compile } = Module.prototype;
  Module.prototype._compile = function (text, path, ...rest) {
    // Cached code cannot `import()`.
    return /[\\/]server[\\/]dist[\\/][\w-]+\.js$/.test(path) && !/\bimport\(/.test(text)
      ? compile(this, text, path)
      : _compile.call(this, text, path, ...rest);
  };
}

/** Runs a module like Node does. */
function compile(module, text, path) {
  const { size, mtimeMs } = statSync(path);
  const file = join(folder, `${process.version}-${basename(path)}-${size}-${mtimeMs}`);
  const cached = read(file);
  const script = new vm.Script(Module.wrap(text.replace(/^#!.*/, '')), {
    filename: path,
    cachedData: cached?.subarray(1),
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const writers = cached?.[0] ?? 0;
  // V8 rejects code that was compiled with other options.
  if (writers < mostWriters && !script.cachedDataRejected && interrupted === undefined) {
    writeOnce(() => write(file, Buffer.concat([Buffer.of(writers + 1), script.createCachedData()])));
  }
  const require = Object.assign(Module.createRequire(path), { main: process.mainModule });
  return script.runInThisContext().call(module.exports, module.exports, require, module, path, dirname(path));
}

/** After a while, because many processes are killed, or at the end. */
function writeOnce(work) {
  const end = () => {
    clearTimeout(timer);
    process.off('exit', end);
    work();
  };
  const timer = setTimeout(end, 1_000).unref();
  process.on('exit', end);
}

function read(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Whole or not at all, because others read it at the same time. */
function write(file, data) {
  try {
    writeFileSync(`${file}.${process.pid}`, data);
    renameSync(`${file}.${process.pid}`, file);
  } catch {
    // A cache need not be written.
  }
}
