import { resolve } from 'node:path';
import { exportFormatNames, exportFormats } from '../../export/export-formats.ts';
import { exportGraph } from '../../operations/stored-graphs/export-graph.ts';
import { readGraphFile } from '../../project/open-project.ts';
import { type Command, UsageError, exitCodes, requiredOption, formatOption } from '../command.ts';
import { paint, styled } from '../styled-text.ts';

const withCases = exportFormatNames.filter((form) => exportFormats[form].hasCases);
const withUtcSuffix = exportFormatNames.filter((form) => exportFormats[form].hasUtcSuffix);
const guarding = exportFormatNames.filter((form) => exportFormats[form].guardsFormulas);

export const exportCommand: Command = {
  name: 'export',
  operands: 'FILE',
  summary: 'Write the imported graph of an entity graph into files',
  arity: { min: 1, max: 1 },
  options: [
    {
      name: 'as',
      value: 'FORM',
      help: `The form to write: ${exportFormatNames.join(', ')}`,
      choices: exportFormatNames,
    },
    { name: 'output', value: 'PATH', help: 'The folder to write into; for the OCEL forms and event logs, the file' },
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
    formatOption,
  ],
  examples: [
    'entity-graph export incidents.entity.yaml --as parquet --output graph',
    'entity-graph export incidents.entity.yaml --as xes --type incident --output incidents.xes',
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
    const file = await readGraphFile(resolve(operands[0] ?? ''), projectContext);
    const { files, notes } = await exportGraph(file, projectContext, {
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
