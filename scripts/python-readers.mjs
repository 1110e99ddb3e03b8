// Third-party tools that read our exports, from the Python package index. For optional checks.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { installOnce } from './install-once.mjs';
import { cacheFolder } from './paths.mjs';
import { runCommand } from './run-command.mjs';

/** Pinned, because results differ between versions. */
const packages = {
  pm4py: '2.7.23.11',
  r4pm: '0.6.2',
  duckdb: '2.0.0',
  'duckdb-cli': '1.5.6',
  pyarrow: '26.0.1',
  openpyxl: '3.1.5',
};

const folder = join(cacheFolder, `python-readers-${Object.values(packages).join('-')}`);

/** Whether they are installed. */
export function hasPythonReaders() {
  return existsSync(folder);
}

/**
 * Installs them once into a virtual environment in `.cache/`; resolves to its Python. Requires Python 3.9 or later with
 * `venv`.
 */
export async function ensurePythonReaders() {
  const isWindows = process.platform === 'win32';
  const program = isWindows ? 'Scripts/python.exe' : 'bin/python';
  await installOnce(folder, async (draft) => {
    console.log(
      'set-up: pm4py, Rust4PM, DuckDB for Python and its command line, pyarrow, openpyxl (about 1 min, 700 MB)',
    );
    const pinned = Object.entries(packages).map(([name, version]) => `${name}==${version}`);
    try {
      await runCommand(isWindows ? 'python' : 'python3', ['-m', 'venv', draft]);
      await runCommand(join(draft, program), ['-m', 'pip', 'install', '--quiet', ...pinned]);
    } catch (error) {
      throw new Error(
        `The Python packages could not be set up. Are Python 3.9 or later and its venv module (Debian: python3-venv) installed, and is the package registry reachable?\n${error.message}`,
        { cause: error },
      );
    }
  });
  return join(folder, program);
}
