import { join } from 'node:path';
import type { ImportNote, NotedNumber } from '../../protocol/import-notes.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import { numberSql } from '../../server/src/event-graph/number-sql.ts';
import { testQuery } from '../../server/src/operations/queries/query-operations.ts';
import { readGraphFile } from '../../server/src/project/open-project.ts';
import type { ImportedProject } from './import-text.ts';

/** The sentence of a warning, each number that can be opened as `[count]`, or `[count opens other]` where it opens another number. */
export async function openedText(project: ImportedProject, note: ImportNote): Promise<string> {
  const parts: string[] = [];
  for (const part of note) parts.push(typeof part === 'string' ? part : await opened(project, part));
  return parts.join('');
}

async function opened(project: ImportedProject, { count, of }: NotedNumber): Promise<string> {
  const rows = of.kind === 'sourceRows' ? await sourceRows(project, of.target) : await graphRows(project, of);
  return rows === count ? `[${count}]` : `[${count} opens ${rows}]`;
}

async function graphRows(project: ImportedProject, of: Exclude<NotedNumber['of'], { kind: 'sourceRows' }>) {
  const { number } = numberSql({ number: of, filter: {} });
  return Number((await project.rows(number))[0]?.[0]);
}

type SourceTarget = Extract<NotedNumber['of'], { kind: 'sourceRows' }>['target'];

async function sourceRows(project: ImportedProject, target: SourceTarget): Promise<number> {
  const context = {
    permitUses: permitAllUses,
    readSecret: async () => 'postgres',
    environment: process.env,
    workspaceFolderOf: () => project.folder,
  };
  const file = await readGraphFile(join(project.folder, 'graph.entity.yaml'), context);
  return (await testQuery(file, target, context)).rows.length;
}
