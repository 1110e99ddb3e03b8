// `npm test [-- PART…]`: sets up what is missing, then runs all parts or those named. Plain Node.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './paths.mjs';
import { exitOnSignals, startGroup } from './process-group.mjs';
import { ensureBuild, ensureDebianPackages, ensureDependencies } from './set-up.mjs';
import { testParts } from './test-parts.mjs';
import { ensureVsCodeHost } from './vscode-install.mjs';

/** What a part may need; each is done once. */
const preparations = {
  build: once(ensureBuild),
  chromium: once(() => ensureDebianPackages()),
  vscode: once(ensureVsCodeHost),
  package: once(async () => (await import('./package.mjs')).packageExtension()),
};

const counts = { passed: 0, failed: 0, skipped: 0 };
exitOnSignals();
try {
  const parts = chooseParts(process.argv.slice(2));
  await ensureDependencies();
  for (const part of parts) await runPart(part);
} catch (error) {
  console.error(message(error));
  counts.failed += 1;
}
process.exitCode = counts.failed === 0 ? 0 : 1;
console.log(
  `\n${counts.passed} passed, ${counts.failed} failed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''}`,
);

function chooseParts(names) {
  if (names.length === 0) return testParts;
  const unknown = names.find((name) => !testParts.some((part) => part.name === name));
  if (unknown) {
    throw new Error(`There is no part "${unknown}". Choose from ${testParts.map(({ name }) => name).join(', ')}.`);
  }
  return testParts.filter(({ name }) => names.includes(name));
}

async function runPart(part) {
  console.log(`\n── ${part.name} ${'─'.repeat(60 - part.name.length)}`);
  const start = Date.now();
  const before = { ...counts };
  try {
    for (const need of part.needs ?? []) await preparations[need]();
    if (part.checks) await Promise.all(part.checks.map((check) => runCheck(check, part)));
    else await runTests(part);
  } catch (error) {
    fail(part, message(error));
  }
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  console.log(
    `── ${part.name}: ${counts.passed - before.passed} passed, ${counts.failed - before.failed} failed in ${seconds} s`,
  );
}

/** A program that passes as a whole; its output is shown only when it does not. */
async function runCheck({ name, script, args }, part) {
  const group = startGroup(process.execPath, [script, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  group.child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  group.child.stderr.setEncoding('utf8').on('data', (text) => (output += text));
  const { code, timedOut } = await endWithin(group, part.seconds);
  if (code === 0) {
    counts.passed += 1;
    console.log(`  ✓ ${name}`);
  } else {
    fail(part, `${name} ${timedOut ? `did not end within ${part.seconds} s` : 'failed'}:\n${output.trim()}`);
  }
}

/** A program that reports its tests one by one in a file: mocha, or the host's own runner. */
async function runTests(part) {
  const folder = mkdtempSync(join(tmpdir(), 'entity-graph-test-'));
  const file = join(folder, 'counts');
  const args = part.script ? [part.script, file] : mochaArguments(part.name, file);
  try {
    const group = startGroup(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
    const { code, timedOut } = await endWithin(group, part.seconds);
    const words = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
    const tally = (word) => words.filter((candidate) => candidate === word).length;
    counts.passed += tally('passed');
    counts.failed += tally('failed');
    counts.skipped += tally('skipped');
    if (timedOut && tally('end') > 0) fail(part, 'all tests ran, but something they opened keeps the process alive');
    else if (timedOut) fail(part, `did not end within ${part.seconds} s`);
    else if (tally('end') === 0) fail(part, `ended before its tests did (exit code ${code})`);
    else if (tally('passed') + tally('failed') === 0) fail(part, 'has no tests');
    else if (code !== 0 && tally('failed') === 0) fail(part, `ended with exit code ${code}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function mochaArguments(name, file) {
  const mocha = ['--import', 'tsx', 'node_modules/mocha/bin/mocha.js', '--timeout', '60000', '--forbid-only'];
  const reporter = ['--reporter', 'scripts/test-reporter.mjs', '--reporter-option', `counts=${file}`];
  return [...mocha, ...reporter, `test/${name}/**/*.test.ts`];
}

async function endWithin(group, seconds) {
  let timer;
  const timeout = new Promise((resolve) => {
    timer = setTimeout(resolve, seconds * 1000, 'timeout');
  });
  const first = await Promise.race([group.ended, timeout]);
  clearTimeout(timer);
  if (first === 'timeout') await group.stop();
  const { code } = await group.ended;
  return { code, timedOut: first === 'timeout' };
}

function fail(part, reason) {
  counts.failed += 1;
  console.error(`  ✗ ${part.name}: ${reason}`);
}

function once(work) {
  let result;
  return () => (result ??= work());
}

function message(error) {
  return error instanceof Error ? error.message : String(error);
}
