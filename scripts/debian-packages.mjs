import { findProgram, runCommand } from './run-command.mjs';

/** Programs that some tests need beside npm packages, and the Debian package of each. */
const debianPackages = {
  chromium: 'chromium',
  rg: 'ripgrep',
  java: 'openjdk-17-jre-headless',
  mvn: 'maven',
  mariadbd: 'mariadb-server-core',
  // Called by mariadb-install-db, whose package only recommends it.
  my_print_defaults: 'mariadb-client-core',
};

/** Those of the host, webview and e2e tests. @type {readonly (keyof typeof debianPackages)[]} */
const testPrograms = ['chromium', 'rg'];

/** Those of the tests of databases. @type {readonly (keyof typeof debianPackages)[]} */
export const databasePrograms = ['mariadbd', 'my_print_defaults'];

/**
 * The Debian packages of those programs that are not there.
 * @param {readonly (keyof typeof debianPackages)[]} programs
 */
export function missingDebianPackages(programs = testPrograms) {
  return programs.filter((program) => !findProgram(program)).map((program) => debianPackages[program]);
}

/**
 * Installs what is missing of `programs` by apt-get when allowed to, else rejects with the command to run.
 * @param {readonly (keyof typeof debianPackages)[]} programs
 */
export async function ensureDebianPackages(programs = testPrograms) {
  const missing = missingDebianPackages(programs);
  if (missing.length === 0) return;
  const install = `apt-get install --yes --no-install-recommends ${missing.join(' ')}`;
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !findProgram('apt-get')) {
    throw new Error(`${missing.join(' and ')} must be installed first. On Debian or Ubuntu: sudo ${install}`);
  }
  console.log(`set-up: ${install}`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await runCommand('apt-get', ['update', '-qq'], { env });
  await runCommand('apt-get', install.split(' ').slice(1), { env });
}
