// Takes the place of the package @vscode/spdlog in the server of VS Code 1.93: that one has to be compiled, and without
// it the extension host flushes its log forever.
'use strict';
const { appendFileSync, mkdirSync } = require('node:fs');
const { dirname } = require('node:path');

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'critical'];

function createLogger(_name, file) {
  mkdirSync(dirname(file), { recursive: true });
  appendFileSync(file, '');
  let least = 0;
  let isPlain = false;
  const log = (level) => (message) => {
    if (levels.indexOf(level) < least) return;
    appendFileSync(file, isPlain ? message : `${new Date().toISOString()} [${level}] ${message}\n`);
  };
  return {
    ...Object.fromEntries(levels.map((level) => [level, log(level)])),
    setLevel: (level) => void (least = level),
    clearFormatters: () => void (isPlain = true),
    setPattern() {},
    flush() {},
    drop() {},
  };
}

module.exports = { setFlushOn() {}, createAsyncRotatingLogger: async (...parts) => createLogger(...parts) };
