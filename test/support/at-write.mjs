// Loaded before a program (`--import`): counts its file operations, and at one of them ends the program or fills its
// disk. ENTITY_GRAPH_AT_WRITE is JSON: `trace` is a file to which each operation is written as a line, `at` the index
// of the operation (from 0), `action` its effect: `die` ends the process like a crash, `fill` writes to the file
// `filler` until the disk is full, `limit` sets the maximum file size.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { pathToFileURL } from 'node:url';

const { trace, at, action, filler } = JSON.parse(process.env.ENTITY_GRAPH_AT_WRITE ?? '{}');
// Child processes are not counted.
delete process.env.ENTITY_GRAPH_AT_WRITE;
const { appendFileSync, closeSync, openSync, writeSync } = fs;
let moments = 0;

const actions = {
  die: () => process.kill(process.pid, 'SIGKILL'),
  fill() {
    const file = openSync(filler, 'w');
    for (let size = 1 << 20; size >= 1; size = Math.floor(size / 2)) {
      try {
        const block = Buffer.alloc(size, 1);
        for (;;) if (writeSync(file, block) < size) break;
      } catch (error) {
        if (error.code !== 'ENOSPC') throw error;
      }
    }
    closeSync(file);
  },
  limit: () => spawnSync('prlimit', ['--pid', String(process.pid), '--fsize=0:']),
};

function moment(label) {
  const number = moments++;
  if (trace !== undefined) appendFileSync(trace, `${JSON.stringify(label)}\n`);
  if (number === at) actions[action]();
}

/** Calls that change files, with the position of their path. */
const calls = [
  'appendFile',
  'chmod',
  'copyFile',
  'link',
  'mkdir',
  'mkdtemp',
  'open',
  'rename',
  'rm',
  'rmdir',
  'utimes',
  'writeFile',
];
const handleCalls = ['appendFile', 'chmod', 'sync', 'truncate', 'write', 'writeFile', 'writev'];

for (const name of calls) {
  const original = fs.promises[name];
  fs.promises[name] = (...args) => {
    const isRead = name === 'open' && (args[1] === undefined || args[1] === 'r' || typeof args[1] === 'number');
    if (!isRead)
      moment(
        `${name} ${args
          .slice(0, 2)
          .filter((arg) => typeof arg === 'string')
          .join(' ')}`,
      );
    return original(...args);
  };
}
const handle = await fs.promises.open(process.execPath, 'r');
const prototype = Object.getPrototypeOf(handle);
await handle.close();
for (const name of handleCalls) {
  const original = prototype[name];
  prototype[name] = function (...args) {
    moment(`handle.${name}`);
    return original.apply(this, args);
  };
}

/** Streams, which do not use promises. */
const streamed = new Set();
const { open: openFile } = fs;
fs.open = (path, ...rest) => {
  const isWritten = typeof rest[0] === 'string' && rest[0] !== 'r';
  if (!isWritten) return openFile(path, ...rest);
  moment(`stream.open ${path}`);
  const told = rest.pop();
  return openFile(path, ...rest, (error, file) => {
    if (!error) streamed.add(file);
    told(error, file);
  });
};
for (const name of ['write', 'writev']) {
  const original = fs[name];
  fs[name] = (file, ...rest) => {
    if (streamed.has(file)) moment('stream.write');
    return original(file, ...rest);
  };
}
const { close: closeFile } = fs;
fs.close = (file, ...rest) => {
  streamed.delete(file);
  return closeFile(file, ...rest);
};
syncBuiltinESMExports();

// DuckDB writes natively: operations are counted before its statements.
try {
  // Bundles contain DuckDB's JavaScript, but load the native binding as a module.
  const load = createRequire(pathToFileURL(process.argv[1]));
  const binding = load('@duckdb/node-bindings');
  const extract = (connection, sql) => {
    if (/^\s*(?:ATTACH|CHECKPOINT|COPY|CREATE|DETACH|DROP|INSERT)\b/i.test(sql))
      moment(`sql ${sql.replace(/^(.{90}).+(.{50})$/s, '$1 … $2')}`);
    return binding.extract_statements(connection, sql);
  };
  load.cache[load.resolve('@duckdb/node-bindings')].exports = Object.create(binding, {
    extract_statements: { value: extract },
  });
} catch {
  // The program does not use DuckDB.
}
