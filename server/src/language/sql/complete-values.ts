import type { Column, SqlDialect } from '../../catalog/catalog.ts';
import type { CompletionProposal } from '../completion/completion-proposal.ts';
import type { ScopedTable } from './sql-scope.ts';
import { valueLiteral } from './value-literal.ts';

/** The compared column, and the typed part of the value. */
const comparison =
  /(?:([\w$]+|"[^"]+")\.)?([\w$]+|"[^"]+")\s*(?:=|<>|!=|\bNOT\s+IN\s*\([^()]*|\bIN\s*\([^()]*)\s*('{0,2})([\w -]*)$/i;

/**
 * Values of the column compared before the offset; undefined if the source offers none.
 * @param isQuoted whether the SQL is in single quotes of YAML, where quotes are doubled
 */
export function completeValues(
  tables: readonly ScopedTable[],
  text: string,
  offset: number,
  isQuoted: boolean,
  dialect: SqlDialect,
): readonly CompletionProposal[] | undefined {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  const [, alias, name = '', quote = '', typed = ''] = comparison.exec(line) ?? [];
  const column = name === '' ? undefined : findColumn(tables, unquoted(alias), unquoted(name) ?? '');
  if (!column?.values || column.values.length === 0) return undefined;
  const start = offset - typed.length - quote.length;
  const rest = /^[\w-]*/.exec(text.slice(offset))?.[0] ?? '';
  const closing = isQuoted ? "''" : "'";
  // A quote after the cursor belongs to the value only if one was opened, else it ends the YAML scalar.
  const isClosed = quote !== '' && text.startsWith(closing, offset + rest.length);
  const end = offset + rest.length + (isClosed ? closing.length : 0);
  return column.values.map(({ value, label }, index): CompletionProposal => {
    const literal = valueLiteral(column, value, dialect);
    const written = isQuoted ? literal.replaceAll("'", "''") : literal;
    return {
      label: value,
      kind: 'value',
      detail: label,
      insertText: written,
      // The typed text may be the value or its label.
      filterText: `${quote}${value} ${label ?? ''}`,
      replace: { start, end },
      sortText: `0${String(index).padStart(4, '0')}`,
    };
  });
}

function findColumn(tables: readonly ScopedTable[], alias: string | undefined, name: string): Column | undefined {
  const wanted = tables.filter((table) => alias === undefined || table.alias.toLowerCase() === alias.toLowerCase());
  for (const { object } of wanted) {
    const found = object.columns.find((column) => column.name.toLowerCase() === name.toLowerCase());
    if (found) return found;
  }
  return undefined;
}

function unquoted(name: string | undefined): string | undefined {
  return name?.replace(/^"(.*)"$/, '$1');
}
