import { resolve } from 'node:path';
import type { DraftChoice } from '../../../../protocol/first-draft.ts';
import { choosableRoles, type DraftColumnChoice } from '../../operations/graph-files/draft-column-choices.ts';
import { draftedGraph, newGraph, type NewGraph } from '../../operations/graph-files/new-graph.ts';
import {
  type Command,
  type Invocation,
  type OptionSpec,
  UsageError,
  exitCodes,
  formatOption,
  requiredOption,
} from '../command.ts';
import { chosenSources, sourcesOption } from '../sources-option.ts';
import { paint, styled } from '../styled-text.ts';
import type { Terminal } from '../terminal.ts';

const chooseOption: OptionSpec = {
  name: 'choose',
  value: 'ROLE=COLUMN,…',
  help: `Columns for roles (${choosableRoles.join(', ')}), for scripts: time=placed or orders:key=id+line; nothing else is asked`,
};

export const newCommand: Command = {
  name: 'new',
  operands: 'SOURCE…',
  summary: 'Write a first entity graph from the tables or files of a source, or of several',
  details: [
    'Case, activity, time, sequence and objects of a log, keys and times of other tables, and how tables belong together',
    'are guessed from names, types, foreign keys and the first rows; the file says why. Where two columns are as good, a',
    'terminal asks; otherwise the first is taken, and --format json lists the others as choices. Columns whose names say',
    'that they hold secrets are not read.',
  ],
  arity: { min: 1, max: Infinity },
  options: [
    { name: 'objects', value: 'A,B', help: 'The data objects to use (default: all tables or files)' },
    { name: 'output', value: 'FILE', help: 'The file to write, such as shop.entity.yaml' },
    { name: 'print', help: 'Print the text instead, and write nothing' },
    chooseOption,
    sourcesOption,
    formatOption,
  ],
  examples: [
    'entity-graph new shop --output shop.entity.yaml',
    'entity-graph new shop helpdesk --output shop.entity.yaml',
    'entity-graph new shop --objects orders,customers --output shop.entity.yaml',
    'entity-graph new shop --print',
    'entity-graph new log --choose case=ticket,time=begun --output log.entity.yaml',
  ],
  async run(invocation) {
    const [first = '', ...furtherSources] = invocation.operands;
    const { options, terminal, projectContext, signal, format } = invocation;
    const isPrinted = options['print'] === 'true';
    if (isPrinted && options['output'] !== undefined)
      throw new UsageError('--print writes nothing: leave --output out.');
    const output = resolve(isPrinted ? unwritten : requiredOption(invocation, 'output'));
    const objects = options['objects']?.split(',').map((name) => name.trim());
    const sourcesFile = await chosenSources(invocation, output);
    const given = readChoices(invocation);
    const ask = format === 'json' || given ? undefined : asker(invocation);
    const make = isPrinted ? draftedGraph : newGraph;
    const made: NewGraph & { readonly text?: string } = await make(
      sourcesFile,
      first,
      {
        furtherSources: furtherSources.map((dataSource) => ({ dataSource })),
        output,
        signal,
        objects,
        given,
        ask,
        onProgress: (message) => terminal.progress(`Reading ${message}`, undefined),
      },
      projectContext,
    );
    terminal.endProgress();
    for (const warning of made.warnings ?? []) terminal.note(styled`${paint.yellow('warning')}: ${warning}`);
    tellLeftOut(made, terminal);
    if (format === 'json') {
      terminal.document(JSON.stringify(isPrinted ? made : { file: output, ...made }));
      return exitCodes.fine;
    }
    tell(made, terminal);
    if (made.text === undefined) terminal.result(output);
    else terminal.document(made.text.trimEnd());
    return exitCodes.fine;
  },
};

/** A draft that is not written is read in the current folder. */
const unwritten = 'draft.entity.yaml';

/** Asks the user to choose between equally good columns by number; an empty line chooses the first. */
function asker({ terminal, signal }: Invocation): ((choice: DraftChoice) => Promise<readonly string[]>) | undefined {
  const { ask } = terminal;
  if (!ask) return undefined;
  return async (choice) => {
    const offered = [choice, ...choice.others];
    terminal.note(styled`${paint.bold(choice.dataObject)}: which column is the ${choice.role}?`);
    offered.forEach(({ columns, reason }, index) =>
      terminal.note(styled`  ${index + 1}  ${columns.join(', ')} ${paint.dim(`(${reason})`)}`),
    );
    for (;;) {
      const typed = (await ask(`Number [1]: `, signal)).trim();
      const chosen = offered[typed === '' ? 0 : Number(typed) - 1];
      if (chosen) return chosen.columns;
      terminal.note(`Type a number from 1 to ${offered.length}.`);
    }
  };
}

/** One line for each reason. */
function tellLeftOut({ leftOut }: NewGraph, { note }: Terminal): void {
  const names = new Map<string, string[]>();
  for (const { dataObject, reason } of leftOut) names.set(reason, [...(names.get(reason) ?? []), dataObject]);
  for (const [reason, objects] of names) {
    const are = objects.length === 1 ? 'is' : 'are';
    note(styled`${paint.yellow('warning')}: ${objects.join(', ')} ${are} left out: ${reason}.`);
  }
}

/** Prints the choices and their alternatives. */
function tell({ chosen, choices }: NewGraph, { note }: Terminal): void {
  for (const { dataObject, role, columns, reason } of chosen) {
    note(styled`${dataObject}: ${role} ${paint.bold(columns.join(', '))} ${paint.dim(`(${reason})`)}`);
    const choice = choices.find((each) => each.dataObject === dataObject && each.role === role);
    if (choice?.columns.join() === columns.join()) {
      note(`  as good: ${choice.others.map((other) => other.columns.join(', ')).join('; ')}`);
    }
  }
}

/** The value of `--choose`: `[DATA OBJECT:]ROLE=COLUMN[+COLUMN…]`, separated by commas. Throws `UsageError`. */
function readChoices({ options }: Invocation): readonly DraftColumnChoice[] | undefined {
  return options['choose']?.split(',').map((text) => {
    const [, dataObject, name, list = ''] = /^(?:(.+):)?\s*(\w+)=(.+)$/.exec(text.trim()) ?? [];
    const role = choosableRoles.find((each) => each === name);
    const columns = list.split('+').map((column) => column.trim());
    if (!role || columns.includes('') || (role !== 'key' && columns.length > 1)) {
      const roles = choosableRoles.join(', ');
      throw new UsageError(
        `--choose takes ROLE=COLUMN, such as time=placed or orders:key=id+line, not "${text}". Roles are ${roles}.`,
      );
    }
    return { role, columns, dataObject: dataObject?.trim() };
  });
}
