import { isAscii } from 'node:buffer';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { readUserCache, writeUserCache } from '../files/user-cache-file.ts';

/** A CommonJS program that is loaded. */
export interface LoadedProgram {
  readonly exports: unknown;
  readonly usedCachedCode: boolean;
  /** Writes the code that was compiled until now, unless cached code was used. Never throws. */
  keepCode(): void;
}

interface ProgramOptions {
  /** The program's `require`. */
  readonly require: NodeJS.Require;
  /** Folder of cached code; undefined for none. */
  readonly folder: string | undefined;
  /** Distinguishes uses that run different parts of the program, such as the name of a command. */
  readonly use?: string | undefined;
}

const [head, tail] = ['(function (exports, require, module, __filename, __dirname) {', '\n})'];

/**
 * Runs a CommonJS program like `require`, with the code that V8 compiled the last time: compiling takes most of the
 * start of a large bundle. Programs must not contain `import()`, which Node before 20.10 cannot resolve for them.
 */
export function loadProgram(path: string, { require, folder, use = 'start' }: ProgramOptions): LoadedProgram {
  const bytes = readFileSync(path);
  const source = head + (isAscii(bytes) ? bytes.toString('latin1') : bytes.toString('utf8')) + tail;
  // V8 itself compares the length of the text only.
  const file = folder === undefined ? undefined : { folder, name: nameOf(path, use), source: hashOf(bytes) };
  const cachedData = file && readUserCache(file);
  const script = new Script(source, {
    filename: path,
    // Positions in error messages are those in the file.
    columnOffset: -head.length,
    cachedData,
  });
  const usedCachedCode = cachedData !== undefined && script.cachedDataRejected === false;
  let isKept = usedCachedCode;
  const module = { exports: {} };
  const run = script.runInThisContext() as (...args: readonly unknown[]) => void;
  run.call(module.exports, module.exports, require, module, path, dirname(path));
  return {
    get exports() {
      return module.exports;
    },
    usedCachedCode,
    keepCode() {
      if (isKept || file === undefined) return;
      isKept = true;
      writeUserCache(file, script.createCachedData());
    },
  };
}

/**
 * Code is compiled for a version of Node, its flags and the processor. Programs of several installations have files of
 * their own; a new version of a program replaces the file of the old one.
 */
function nameOf(path: string, use: string): string {
  const hash = hashOf(`${process.version} ${cachedDataVersionTag()} ${path}`);
  return `${basename(path, '.js')}-${use}-${hash.slice(0, 16)}.code`;
}

function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
