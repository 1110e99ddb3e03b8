import { resolve } from 'node:path';
import { escapeForComment } from '../../../../protocol/escape-markdown.ts';
import type { Finding, FindingsAnswer } from '../../../../protocol/findings.ts';
import { findGraphFindings } from '../../operations/stored-graphs/find-graph-findings.ts';
import { numberText } from '../answer-table.ts';
import { type Command, exitCodes } from '../command.ts';
import { findingProblems } from '../finding-problems.ts';
import { toSarif } from '../sarif.ts';
import { type Line, paint, styled } from '../styled-text.ts';

/** Examples in texts that people read. */
const shownExamples = 5;

export const findingsCommand: Command = {
  name: 'findings',
  operands: 'FILE',
  summary: 'List what is odd in the data of an imported graph, how much of the process map it makes, and what to do',
  details: ['Warnings first, those that explain most of the map before the others. Warnings exit with 0.'],
  arity: { min: 1, max: 1 },
  options: [
    {
      name: 'format',
      value: 'FORMAT',
      help: 'How to print the result',
      choices: ['text', 'json', 'sarif', 'markdown'],
    },
  ],
  examples: [
    'entity-graph findings incidents.entity.yaml',
    'entity-graph findings incidents.entity.yaml --format markdown',
  ],
  async run({ operands, projectContext, signal, terminal, format }) {
    const { file, answer } = await findGraphFindings(resolve(operands[0] ?? ''), projectContext, signal);
    if (format === 'json') terminal.document(JSON.stringify(answer, null, 2));
    else if (format === 'sarif') {
      const problems = findingProblems(file.text, answer);
      terminal.document(JSON.stringify(toSarif([{ ...file, problems }]), null, 2));
    } else if (format === 'markdown') terminal.document(markdownOf(answer));
    else for (const line of findingLines(answer)) terminal.result(line);
    return exitCodes.fine;
  },
};

/** The findings as lines of text, with a closing one. */
export function findingLines({ findings, stale, notes }: FindingsAnswer): readonly Line[] {
  const open = findings.filter(({ accepted }) => accepted === undefined);
  const lines = open.flatMap((finding): readonly Line[] => [
    styled`${finding.severity === 'warning' ? paint.yellow('warning') : paint.blue('info   ')}  ${paint.bold(finding.kind)}  ${placeOf(finding)}${paint.dim(explainsText(finding))}`,
    `         ${finding.message}`,
    `         ${finding.remedy}`,
    ...(finding.examples.length === 0 ? [] : [styled`         ${paint.dim(`Such as ${examplesText(finding)}`)}`]),
  ]);
  return [...notes, ...lines, ...closing({ findings, stale, notes })];
}

function markdownOf({ findings, stale, notes }: FindingsAnswer): string {
  const open = findings.filter(({ accepted }) => accepted === undefined);
  const rows = open.map((finding) => {
    const { severity, kind, message, remedy } = finding;
    const cells = [severity, kind, placeOf(finding).trim(), explainsText(finding), message, remedy];
    return `| ${cells.map(escapeForComment).join(' | ')} |`;
  });
  const table = ['| | finding | where | explains | what | what to do |', '|---|---|---|---:|---|---|', ...rows].join(
    '\n',
  );
  return [
    ...notes.map(escapeForComment),
    ...(rows.length === 0 ? [] : [table]),
    ...closing({ findings, stale, notes }).map(escapeForComment),
  ].join('\n\n');
}

function closing({ findings, stale }: FindingsAnswer): readonly string[] {
  const accepted = findings.filter((finding) => finding.accepted !== undefined).length;
  const open = findings.length - accepted;
  return [
    open === 0 ? 'Nothing is odd in the data.' : `${open} finding${open === 1 ? '' : 's'}.`,
    ...(accepted === 0 ? [] : [`${accepted} more ${accepted === 1 ? 'is' : 'are'} accepted by the file.`]),
    ...stale.map(
      ({ finding, element }) =>
        `The entry ${finding}${element === undefined ? '' : ` of "${element}"`} of accepted is not needed any more.`,
    ),
  ];
}

/** Such as `Place Order.placed`. */
function placeOf({ element, column }: Finding): string {
  if (element === null) return '';
  return `${column === null ? element : `${element}.${column}`}  `;
}

/** Such as `4.8 % of the paths, 10 % of the variants`. */
function explainsText({ explains, explainsVariants, explainsViolations }: Finding): string {
  const shares = [
    [explains, 'paths'],
    [explainsVariants, 'variants'],
    [explainsViolations, 'violations'],
  ] as const;
  return shares
    .flatMap(([share, name]) => (share === null ? [] : [`${numberText(share, 'share')} of the ${name}`]))
    .join(', ');
}

function examplesText({ examples, count }: Finding): string {
  const shown = examples.slice(0, shownExamples).map(({ entity, event }) => {
    const time = event.time.slice(0, 19).replace('T', ' ');
    return `${entity ? `${entity.type} ${entity.key}: ` : ''}${event.activity} ${time}`;
  });
  return `${shown.join('; ')}${count > shown.length ? ' …' : ''}`;
}
