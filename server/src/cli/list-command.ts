import { resolve } from 'node:path';
import type { Answered, Question } from '../operations/stored-graphs/ask-questions.ts';
import { type AnswerCell, answerFormats, printAnswer } from './answer-table.ts';
import { type Command, type Invocation, type OptionSpec, countOption, exitCodes } from './command.ts';
import { entityOptions } from './entity-options.ts';

/** A command that lists what it finds of the entities of an imported graph. */
interface ListCommand<Row> {
  readonly name: string;
  readonly summary: string;
  readonly details?: readonly string[];
  /** Besides those about entities, `limit` and `format`. */
  readonly options: readonly OptionSpec[];
  readonly examples: readonly string[];
  /** Rows that are listed. */
  readonly defaultLimit: number;
  /** What a row is called in JSON. */
  readonly rows: string;
  ask(question: AskedList, invocation: Invocation): Promise<Answered<ListedRows<Row>>>;
  columns(options: Invocation['options']): readonly string[];
  cells(row: Row, options: Invocation['options']): readonly AnswerCell[];
}

type AskedList = Question & { readonly limit: number };

interface ListedRows<Row> {
  readonly rows: readonly Row[];
  /** How many there are, listed or not. */
  readonly all: number;
}

export function listCommand<Row>(list: ListCommand<Row>): Command {
  const { name, summary, details, options: own, examples, defaultLimit } = list;
  return {
    name,
    operands: 'FILE',
    summary,
    ...(details && { details }),
    arity: { min: 1, max: 1 },
    options: [
      ...own,
      ...entityOptions,
      { name: 'limit', value: 'N', help: `How many are listed (default: ${defaultLimit})` },
      { name: 'format', value: 'FORMAT', help: 'How to print the result', choices: answerFormats },
    ],
    examples,
    async run(invocation) {
      const { operands, options, lists } = invocation;
      const { where } = lists;
      const question = {
        path: resolve(operands[0] ?? ''),
        entityType: options['entity-type'],
        conditions: where,
        limit: countOption(invocation, 'limit') ?? defaultLimit,
      };
      const answered = await list.ask(question, invocation);
      const { answer, notes, entityType } = answered;
      const { rows, all } = answer;
      const table = {
        columns: list.columns(options),
        rows: rows.map((row) => list.cells(row, options)),
        others: all - rows.length,
        nothing: `No ${list.rows} found.`,
      };
      const json = { entityType, ...(notes.length > 0 && { notes }), all, [list.rows]: rows };
      printAnswer(answered, { table, json, asked: { where } }, invocation);
      return exitCodes.fine;
    },
  };
}
