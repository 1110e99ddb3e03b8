// `npm start [-- --headless]`: from a fresh clone to imported samples in VS Code. Plain Node.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { importSamples } from './import-samples.mjs';
import { startItsmInstance } from './itsm-instance.mjs';
import { startNorthwind } from './northwind-database.mjs';
import { cacheFolder, root } from './paths.mjs';
import { exitOnSignals } from './process-group.mjs';
import { findProgram } from './run-command.mjs';
import { startServiceDesk } from './service-desk.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { ensureBuild } from './set-up.mjs';
import { installExtension, startVsCodeServer } from './vscode-server.mjs';

const samples = join(root, 'samples');
const { values: options } = parseArgs({ options: { headless: { type: 'boolean', default: false } } });

exitOnSignals();
try {
  await step('Packages', ensureDependencies);
  await step('Build', ensureBuild);
  const northwind = await step('PostgreSQL with Northwind', startNorthwind);
  const itsm = await step('Instance for IT service management', startItsmInstance);
  const desk = await step('Instance with complaints', startServiceDesk);
  const env = { ...northwind.env, ...itsm.env, ...desk.env };
  const summary = await step('Samples', () => importSamples(env));
  console.log(`\n${summary}\n`);
  if (options.headless) await Promise.all([northwind.stop(), itsm.stop(), desk.stop()]);
  else await step('VS Code', () => openSamples(env));
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : error}`);
  // Exit handlers stop what was started.
  process.exit(1);
}

async function step(name, work) {
  console.log(`\n▸ ${name}`);
  const start = Date.now();
  try {
    const result = await work();
    console.log(`  ✓ ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
    return result;
  } catch (error) {
    throw new Error(`✗ ${name}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

/** In the user's VS Code if installed, else in a VS Code served on loopback. */
async function openSamples(env) {
  const code = findProgram(process.platform === 'win32' ? 'code.cmd' : 'code');
  if (code) openOwnCode(code, env);
  else await serveCode(env);
  console.log(`  When VS Code asks for the secret "northwind", the password is: ${env.ENTITY_GRAPH_SECRET_NORTHWIND}`);
  console.log(`  For the secret "itsm" it is: ${env.ENTITY_GRAPH_SECRET_ITSM}`);
  console.log(`  For the secret "complaints" it is: ${env.ENTITY_GRAPH_SECRET_COMPLAINTS}`);
  console.log('  Ctrl+C stops everything that was started here.');
}

function openOwnCode(code, env) {
  const args = ['--new-window', `--extensionDevelopmentPath=${root}`, samples];
  // Batch files such as code.cmd need a shell with quoted arguments.
  const shell = process.platform === 'win32';
  const quote = (text) => (shell ? `"${text}"` : text);
  const child = spawn(quote(code), args.map(quote), { env: { ...process.env, ...env }, stdio: 'inherit', shell });
  child.once('error', (error) => console.error(`  ${code} did not start: ${error.message}`));
  // Keeps the process, and thereby PostgreSQL, running until Ctrl+C.
  setInterval(() => undefined, 60_000);
}

async function serveCode(env) {
  const { packageExtension } = await import('./package.mjs');
  const extensionsFolder = join(cacheFolder, 'start-extensions');
  await installExtension(await packageExtension(), extensionsFolder);
  const connectionToken = randomBytes(16).toString('hex');
  const server = await startVsCodeServer({ extensionsFolder, env, connectionToken });
  const query = new URLSearchParams({ tkn: connectionToken, folder: samples });
  console.log(`\n  There is no \`code\` command on the PATH, so VS Code is served here. Open it in a browser:`);
  console.log(`\n    http://${server.authority}/?${query}\n`);
}
