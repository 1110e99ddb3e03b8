import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { existsSync } from 'node:fs';
import { startGroup } from './process-group.mjs';

/** A program did not end in time, and was ended. */
export class CommandTimeout extends Error {}

/**
 * Runs a program to its end and resolves to its standard output, or rejects with what it printed when it fails.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, visible?: boolean, timeoutMs?: number }} [options] `visible` lets
 *   the program print to the terminal itself; the result is empty then. `timeoutMs` ends it with what it started, and rejects with a `CommandTimeout`.
 * @returns {Promise<string>}
 */
export function runCommand(program, args, { cwd, env, visible = false, timeoutMs } = {}) {
  return new Promise((resolve, reject) => {
    const options = { cwd, env: { ...process.env, ...env }, stdio: visible ? 'inherit' : 'pipe' };
    const group = timeoutMs === undefined ? undefined : startGroup(program, args, options);
    const child = group?.child ?? spawn(program, args, options);
    let output = '';
    let errors = '';
    child.stdout?.setEncoding('utf8').on('data', (text) => (output += text));
    child.stderr?.setEncoding('utf8').on('data', (text) => (errors += text));
    let timedOut = false;
    const timer =
      group &&
      setTimeout(() => {
        timedOut = true;
        void group.stop();
      }, timeoutMs);
    const command = [program, ...args].join(' ');
    child.on('error', (error) => reject(new Error(`${command} could not start: ${error.message}`)));
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      const end = timedOut ? `did not end within ${timeoutMs / 1000} s` : `ended with ${signal ?? `exit code ${code}`}`;
      if (code === 0 && !timedOut) resolve(output);
      else reject(new (timedOut ? CommandTimeout : Error)(`${command} ${end}.\n${errors || output}`.trim()));
    });
  });
}

/** Runs npm; the npm that runs this script if any, because npm's shim needs a shell on Windows. */
export function runNpm(args, options) {
  const script = process.env.npm_execpath;
  if (script?.endsWith('.js')) return runCommand(process.execPath, [script, ...args], options);
  if (process.platform !== 'win32') return runCommand('npm', args, options);
  const shim = findProgram('npm.cmd');
  const npm = shim && join(shim, '../node_modules/npm/bin/npm-cli.js');
  if (!npm || !existsSync(npm)) throw new Error('npm was not found beside npm.cmd. Run this script through npm.');
  return runCommand(process.execPath, [npm, ...args], options);
}

/** Absolute path of a program on the PATH, or where Debian keeps servers; undefined when there is none. */
export function findProgram(name) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'].filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}
