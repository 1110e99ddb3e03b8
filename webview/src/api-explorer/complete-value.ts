import type { KnownColumn } from '../../../protocol/api-explorer.ts';
import type { Choice } from '../ui/combobox.ts';

/** Completion at the end of a text with column names; each item is the whole new text. Pure. */
type CompleteValue = (typed: string, columns: readonly KnownColumn[]) => readonly Choice[];

/** Completes a comma-separated list of columns not yet in it. */
export const completeColumns: CompleteValue = (typed, columns) => {
  const at = typed.lastIndexOf(',') + 1;
  const [before, begun] = [typed.slice(0, at), typed.slice(at).trim()];
  const named = new Set(before.split(',').map((name) => name.trim()));
  return matching(
    columns.filter(({ name }) => !named.has(name)),
    begun,
  ).map(({ name, detail }) => ({ value: `${before}${name}`, shown: name, detail }));
};

/** Completes an encoded query: columns, then operators, then known values. */
export const completeQuery: CompleteValue = (typed, columns) => {
  const [, before = '', order = '', begun = ''] =
    /^((?:.*\^(?:NQ|OR(?!DER))?)?)((?:ORDERBY(?:DESC)?)?)(.*)$/s.exec(typed) ?? [];
  const field = columns.find(({ name }) => /^(?:[^a-z0-9_.].*)?$/s.test(startsWith(begun, name) ?? 'x'));
  const isName = /^[a-z0-9_.]*$/.test(begun);
  if (!isName && field && order === '') {
    return condition(begun.slice(field.name.length), field).map(({ value, detail }) => ({
      value: `${before}${field.name}${value}`,
      shown: value,
      detail,
    }));
  }
  const names = isName ? matching(columns, begun) : [];
  const proposed = names.map(({ name, detail }) => ({ value: `${before}${order}${name}`, shown: name, detail }));
  if (order !== '') return proposed;
  const conditions = isName && field ? operators.map(([text, detail]) => ({ value: `${begun}${text}`, detail })) : [];
  const isOrder = 'ORDERBY'.startsWith(begun);
  const orders = isOrder ? ['ORDERBY', 'ORDERBYDESC'].map((value) => ({ value, detail: '' })) : [];
  return [
    ...proposed,
    ...[...conditions, ...orders].map(({ value, detail }) => ({ value: `${before}${value}`, shown: value, detail })),
  ];
};

/** Operators without a description explain themselves. */
const operators: readonly (readonly [text: string, detail: string])[] = [
  ...['=', '!=', '<', '<=', '>', '>='].map((sign) => [sign, ''] as const),
  ...['LIKE', 'NOT LIKE', 'STARTSWITH', 'ENDSWITH', 'IN', 'NOT IN', 'ISEMPTY', 'ISNOTEMPTY'].map(
    (word) => [word, ''] as const,
  ),
];

/** Operators after a column name. */
function condition(begun: string, column: KnownColumn): readonly { readonly value: string; readonly detail: string }[] {
  const [, operator = '', value = ''] = /^(!=|=|NOT IN|IN(?!STANCE))(.*)$/s.exec(begun) ?? [];
  if (operator === '') {
    return operators.filter(([text]) => text.startsWith(begun)).map(([text, detail]) => ({ value: text, detail }));
  }
  const at = operator.endsWith('IN') ? value.lastIndexOf(',') + 1 : 0;
  const [before, part] = [value.slice(0, at), value.slice(at).toLowerCase()];
  const begins = (text: string): boolean => text.toLowerCase().startsWith(part);
  return valuesOf(column)
    .filter((known) => begins(known.value) || begins(known.label ?? ''))
    .sort((one, other) => Number(other.value.toLowerCase() === part) - Number(one.value.toLowerCase() === part))
    .map((known) => ({ value: `${operator}${before}${known.value}`, detail: known.label ?? '' }));
}

function valuesOf({ values = [], type }: KnownColumn): NonNullable<KnownColumn['values']> {
  return type === 'BOOLEAN' && values.length === 0 ? [{ value: 'true' }, { value: 'false' }] : values;
}

/** Columns whose name contains the text: exact match first, then matches at the start. */
function matching(columns: readonly KnownColumn[], text: string): readonly { name: string; detail: string }[] {
  const begun = text.toLowerCase();
  const rank = (name: string): number => (name === begun ? 0 : name.startsWith(begun) ? 1 : 2);
  return columns
    .filter(({ name }) => name.toLowerCase().includes(begun))
    .sort((one, other) => rank(one.name) - rank(other.name))
    .map(({ name, type, label }) => ({ name, detail: [label, type].filter(Boolean).join(' · ') }));
}

/** The rest of a text after a prefix; undefined without the prefix. */
function startsWith(text: string, beginning: string): string | undefined {
  return text.startsWith(beginning) ? text.slice(beginning.length) : undefined;
}
