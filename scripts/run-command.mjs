import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { existsSync } from 'node:fs';

/**
 * Runs a program to its end and resolves to its standard output, or rejects with what it printed when it fails.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, visible?: boolean, timeoutMs?: number }} [options] `visible` lets
 *   the program print to the terminal itself; the result is empty then.
 * @returns {Promise<string>}
 */
export function runCommand(program, args, { cwd, env, visible = false, timeoutMs } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: visible ? 'inherit' : 'pipe' });
    let output = '';
    let errors = '';
    child.stdout?.setEncoding('utf8').on('data', (text) => (output += text));
    child.stderr?.setEncoding('utf8').on('data', (text) => (errors += text));
    const timer = timeoutMs && setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    const command = [program, ...args].join(' ');
    child.on('error', (error) => reject(new Error(`${command} could not start: ${error.message}`)));
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve(output);
      else reject(new Error(`${command} ended with ${signal ?? `exit code ${code}`}.\n${errors || output}`.trim()));
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
