import { resolve } from 'node:path';
import { exportFormatNames, exportFormats } from '../../export/export-formats.ts';
import { writeFileAtomic } from '../../files/write-atomic.ts';
import { checkFileTarget } from '../../files/write-target.ts';
import { drawCanvas } from '../../operations/graph-files/draw-canvas.ts';
import { exportGraph } from '../../operations/stored-graphs/export-graph.ts';
import { readGraphFile } from '../../project/open-project.ts';
import { effectProgress } from '../effect-progress.ts';
import { drawingProgramPath, elkProgramPath } from '../program-paths.ts';
import { type Command, type Invocation, UsageError, exitCodes, requiredOption, formatOption } from '../command.ts';
import { paint, styled } from '../styled-text.ts';

/** Not a form of the imported graph: a picture of the text. */
const canvasForm = 'svg';
const withCases = exportFormatNames.filter((form) => exportFormats[form].hasCases);
const withUtcSuffix = exportFormatNames.filter((form) => exportFormats[form].hasUtcSuffix);
const guarding = exportFormatNames.filter((form) => exportFormats[form].guardsFormulas);

export const exportCommand: Command = {
  name: 'export',
  operands: 'FILE',
  summary: 'Write the imported graph of an entity graph into files, or its canvas as a picture',
  arity: { min: 1, max: 1 },
  options: [
    {
      name: 'as',
      value: 'FORM',
      help: `The form to write: ${exportFormatNames.join(', ')}; svg is the canvas, which needs no import`,
      choices: [...exportFormatNames, canvasForm],
    },
    {
      name: 'output',
      value: 'PATH',
      help: 'The folder to write into; for the OCEL forms, event logs and svg, the file',
    },
    {
      name: 'type',
      value: 'TYPE',
      help: `As ${withCases.join(', ')}: the entity type whose entities are the cases (default: the only one with events)`,
    },
    {
      name: 'guard-formulas',
      help: `As ${guarding.join(', ')}: put an apostrophe before texts that spreadsheets would run`,
    },
    {
      name: 'utc-offset',
      help: `As ${withUtcSuffix.join(', ')}: end times with +00:00 instead of Z, as some readers need`,
    },
    {
      name: 'base',
      value: 'BASE',
      help: 'As svg: draw what differs from this text: a file, a commit or branch, or last for that of the last import',
    },
    { name: 'offline', help: 'With --base: contact no data source, use only the rows that the last import has kept' },
    formatOption,
  ],
  examples: [
    'entity-graph export incidents.entity.yaml --as parquet --output graph',
    'entity-graph export incidents.entity.yaml --as xes --type incident --output incidents.xes',
    'entity-graph export incidents.entity.yaml --as svg --base origin/main --output effect.svg',
    'entity-graph export incidents.entity.yaml --as csv --guard-formulas --output for-spreadsheets',
  ],
  async run(invocation) {
    const { operands, projectContext, signal, terminal, format } = invocation;
    const as = requiredOption(invocation, 'as');
    const output = requiredOption(invocation, 'output');
    const guardFormulas = invocation.options['guard-formulas'] !== undefined;
    if (guardFormulas && !guarding.some((name) => name === as)) {
      throw new UsageError(`--guard-formulas is for --as ${guarding.join(', ')}: no spreadsheet opens ${as}.`);
    }
    const utcOffset = invocation.options['utc-offset'] !== undefined;
    if (utcOffset && !withUtcSuffix.some((name) => name === as)) {
      throw new UsageError(`--utc-offset is for --as ${withUtcSuffix.join(', ')}.`);
    }
    const entityType = invocation.options['type'];
    if (entityType !== undefined && !withCases.some((name) => name === as)) {
      throw new UsageError(`--type is for --as ${withCases.join(', ')}: ${as} has entities of all types.`);
    }
    if (as !== canvasForm && (invocation.options['base'] ?? invocation.options['offline']) !== undefined) {
      throw new UsageError(`--base and --offline are for --as ${canvasForm}: ${as} has the imported graph.`);
    }
    const file = resolve(operands[0] ?? '');
    const { files, notes } =
      as === canvasForm
        ? { files: [await writeCanvas(file, output, invocation)], notes: [] }
        : await exportGraph(await readGraphFile(file, projectContext), projectContext, {
            format: as,
            output,
            guardFormulas,
            utcOffset,
            entityType,
            signal,
          });
    if (format === 'json') terminal.document(JSON.stringify({ files, ...(notes.length > 0 && { notes }) }, null, 2));
    else {
      for (const path of files) terminal.result(path);
      for (const note of notes) terminal.note(styled`${paint.yellow('note')}: ${note}`);
    }
    return exitCodes.fine;
  },
};

/** Returns the path that was written. */
async function writeCanvas(
  path: string,
  output: string,
  { options: { base, offline }, projectContext, signal, terminal }: Invocation,
): Promise<string> {
  if (base?.trim() === '') throw new UsageError('--base is empty: name a file, a commit or branch, or last.');
  if (base === undefined && offline !== undefined) throw new UsageError('--offline goes with --base.');
  if (!/\.svg$/i.test(output)) throw new UsageError(`--output of --as ${canvasForm} ends with .svg, not "${output}".`);
  const target = await checkFileTarget(resolve(output), { example: 'canvas.svg' });
  const svg = await drawCanvas(await readGraphFile(path, projectContext), projectContext, {
    base,
    isOffline: offline === 'true',
    programs: { drawing: drawingProgramPath(), elk: elkProgramPath() },
    onProgress: effectProgress(terminal),
    signal,
  }).finally(() => terminal.endProgress());
  await writeFileAtomic(target.real, svg);
  return resolve(output);
}
