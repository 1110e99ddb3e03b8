import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/** Runs a script like `psql`: statements at once, lines after `COPY … FROM stdin;` as data, without `\commands`. */
export async function loadSqlText(client: pg.Client, script: string): Promise<void> {
  for (const part of splitScript(script)) {
    if (part.kind === 'statements') await client.query(part.text);
    else await pipeline(Readable.from([part.data]), client.query(copyFrom(part.copy)));
  }
}

type ScriptPart =
  | { readonly kind: 'statements'; readonly text: string }
  | { readonly kind: 'copy'; readonly copy: string; readonly data: string };

function splitScript(script: string): ScriptPart[] {
  const lines = script.split(/\r?\n/);
  const parts: ScriptPart[] = [];
  let statements: string[] = [];
  const flush = (): void => {
    const text = statements.join('\n');
    if (text.trim()) parts.push({ kind: 'statements', text });
    statements = [];
  };
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (/^COPY .* FROM stdin;$/i.test(line)) {
      flush();
      const end = lines.indexOf('\\.', index);
      const data = lines.slice(index + 1, end).map((row) => `${row}\n`);
      parts.push({ kind: 'copy', copy: line.slice(0, -1), data: data.join('') });
      index = end;
    } else if (!line.startsWith('\\') && !isRetiredSetting(line)) statements.push(line);
  }
  flush();
  return parts;
}

/** Older dumps set this; PostgreSQL 12 removed it, and errors end the script here. */
function isRetiredSetting(line: string): boolean {
  return line.startsWith('SET default_with_oids');
}
