import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { root } from './paths.mjs';
import { runCommand } from './run-command.mjs';

const graphs = [
  'samples/incidents/trail.entity.yaml',
  'samples/incidents/incidents.entity.yaml',
  'samples/northwind/northwind.entity.yaml',
  'samples/itsm/itsm.entity.yaml',
  'samples/order-to-cash/order-to-cash.entity.yaml',
  'samples/cross-system/cross-system.entity.yaml',
];

/**
 * Validates and imports every sample through the command line, with progress on the terminal.
 * @param {Record<string, string>} env Settings of the samples.
 * @returns {Promise<string>} A table of what the graphs contain.
 */
export async function importSamples(env) {
  await runCommand(process.execPath, ['server/dist/cli.js', 'validate', '--online', ...graphs], {
    cwd: root,
    env,
  }).then(
    () => console.log(`  ✓ ${graphs.length} entity graphs are valid`),
    (error) => {
      throw new Error(`The samples are not valid.\n${error.message}`, { cause: error });
    },
  );
  const rows = [];
  for (const graph of graphs) rows.push(tableRow(graph, await importGraph(graph, env)));
  return printTable(['graph', 'entities', 'events', 'correlations', 'relations', 'directly follows', 'seconds'], rows);
}

/** Runs one import and resolves to its summary; rejects with the reason when it failed. */
async function importGraph(graph, env) {
  console.log(`  importing ${graph}`);
  const child = spawn(process.execPath, ['server/dist/cli.js', 'import', graph, '--format', 'json'], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
  const ended = new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  const progress = progressPrinter();
  let summary;
  for await (const line of createInterface({ input: child.stdout })) {
    const message = JSON.parse(line);
    if (message.type === 'progress') progress.show(message);
    if (message.type === 'summary') summary = message;
  }
  const code = await ended;
  progress.end();
  if (code === 0 && summary) return summary;
  const reason = summary?.error?.message ?? errors.trim();
  throw new Error(`The import of ${graph} failed (exit code ${code}): ${reason}`);
}

/** One line a step; on a terminal the line follows the rows as they come. */
function progressPrinter() {
  let step;
  const isTerminal = process.stdout.isTTY === true;
  return {
    show(progress) {
      const rows = progress.rows === undefined ? '' : ` · ${progress.rows.toLocaleString('en')} rows`;
      const text = `    ${progress.step}: ${progress.message}${rows}`;
      if (isTerminal) {
        if (step !== undefined && step !== progress.step) process.stdout.write('\n');
        process.stdout.write(`\r\u001b[K${text.slice(0, process.stdout.columns - 1)}`);
      } else if (step !== progress.step) {
        console.log(text);
      }
      step = progress.step;
    },
    end() {
      if (isTerminal && step !== undefined) process.stdout.write('\n');
    },
  };
}

function tableRow(graph, { totals, durationMs }) {
  const counts = [totals.entities, totals.events, totals.correlations, totals.relations, totals.directlyFollows];
  return [graph, ...counts.map((count) => count.toLocaleString('en')), (durationMs / 1000).toFixed(1)];
}

function printTable(header, rows) {
  const lines = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const print = (line) =>
    line.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join('   ');
  return [print(header), widths.map((width) => '─'.repeat(width)).join('   '), ...rows.map(print)].join('\n');
}
