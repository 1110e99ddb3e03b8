import { headlessShell } from './chromium.mjs';
import { findProgram, runCommand } from './run-command.mjs';

/** Programs that some tests need beside npm packages, and the Debian package of each. */
const debianPackages = {
  chromium: 'chromium',
  [headlessShell]: headlessShell,
  rg: 'ripgrep',
  java: 'openjdk-17-jre-headless',
  mvn: 'maven',
  mariadbd: 'mariadb-server-core',
  // Called by mariadb-install-db, whose package only recommends it.
  my_print_defaults: 'mariadb-client-core',
};

/** The alternative if a program cannot be installed. */
const replacements = { [headlessShell]: 'chromium' };

/** Packages of the host, webview and e2e tests. @type {readonly (keyof typeof debianPackages)[]} */
const testPrograms = ['chromium', headlessShell, 'rg'];

/** Packages of the database tests. @type {readonly (keyof typeof debianPackages)[]} */
export const databasePrograms = ['mariadbd', 'my_print_defaults'];

/**
 * The Debian packages of those programs that are not there.
 * @param {readonly (keyof typeof debianPackages)[]} programs
 */
export function missingDebianPackages(programs = testPrograms) {
  const isThere = (program) => findProgram(program) || (!mayInstall() && hasReplacement(program));
  return programs.filter((program) => !isThere(program)).map((program) => debianPackages[program]);
}

const hasReplacement = (program) => program in replacements && findProgram(replacements[program]) !== undefined;

const mayInstall = () =>
  process.platform === 'linux' && process.getuid?.() === 0 && findProgram('apt-get') !== undefined;

/**
 * Installs missing `programs` with apt-get when allowed to, else rejects with the command to run.
 * @param {readonly (keyof typeof debianPackages)[]} programs
 */
export async function ensureDebianPackages(programs = testPrograms) {
  const missing = missingDebianPackages(programs);
  if (missing.length === 0) return;
  const install = `apt-get install --yes --no-install-recommends ${missing.join(' ')}`;
  if (!mayInstall()) {
    throw new Error(`${missing.join(' and ')} must be installed first. On Debian or Ubuntu: sudo ${install}`);
  }
  console.log(`set-up: ${install}`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  try {
    await runCommand('apt-get', ['update', '-qq'], { env });
    await runCommand('apt-get', install.split(' ').slice(1), { env });
  } catch (error) {
    if (programs.some((program) => !findProgram(program) && !hasReplacement(program))) throw error;
    console.log(`set-up: goes on without ${missing.join(' and ')}, because that failed: ${error.message}`);
  }
}
