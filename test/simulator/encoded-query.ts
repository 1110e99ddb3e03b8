/** A condition `field OPERATOR value` of an encoded query. */
export interface QueryTerm {
  readonly field: string;
  readonly operator: string;
  readonly value: string;
}

/** Branches joined by `^NQ`; in each, groups that must all hold; in each group, terms of which one must hold. */
export interface EncodedQuery {
  readonly branches: readonly (readonly (readonly QueryTerm[])[])[];
  readonly order: readonly { readonly field: string; readonly descending: boolean }[];
}

/** Longest first, so that `<=` is not taken for `<`. */
const operators = [
  'ISNOTEMPTY',
  'EMPTYSTRING',
  'STARTSWITH',
  'ENDSWITH',
  'NOT LIKE',
  'ISEMPTY',
  'BETWEEN',
  'NOT IN',
  'ANYTHING',
  'LIKE',
  'IN',
  '!=',
  '<=',
  '>=',
  '=',
  '<',
  '>',
];

/** Parses an encoded query. An invalid part becomes a term with an empty operator. */
export function parseEncodedQuery(text: string): EncodedQuery {
  const order: { field: string; descending: boolean }[] = [];
  let groups: QueryTerm[][] = [];
  const branches = [groups];
  for (const part of splitTerms(text)) {
    if (part === '' || part === 'EQ') continue;
    if (part.startsWith('ORDERBYDESC')) order.push({ field: part.slice(11), descending: true });
    else if (part.startsWith('ORDERBY')) order.push({ field: part.slice(7), descending: false });
    else if (part.startsWith('NQ')) {
      groups = [[parseTerm(part.slice(2))]];
      branches.push(groups);
    } else if (part.startsWith('OR')) groups.at(-1)?.push(parseTerm(part.slice(2)));
    else groups.push([parseTerm(part)]);
  }
  return { branches, order };
}

/** How values are compared. */
export interface Comparison {
  readonly numeric: boolean;
  /** Most instances compare texts case-insensitively. */
  readonly caseSensitive: boolean;
}

/** Whether a value satisfies a term. */
export function meets(
  value: string,
  { operator, value: wanted }: QueryTerm,
  { numeric, caseSensitive }: Comparison,
): boolean {
  const [own, other] = caseSensitive ? [value, wanted] : [value.toLowerCase(), wanted.toLowerCase()];
  const compare = (): number => (numeric ? Number(own) - Number(other) : own < other ? -1 : own > other ? 1 : 0);
  const list = (): readonly string[] => other.split(',');
  switch (operator) {
    case '=':
      return own === (other.toLowerCase() === 'null' ? '' : other);
    case '!=':
      return own !== '' && own !== other;
    case 'ISEMPTY':
      return own === '';
    case 'ISNOTEMPTY':
      return own !== '';
    case 'ANYTHING':
      return true;
    case 'LIKE':
      return own.includes(other);
    case 'NOT LIKE':
      return own !== '' && !own.includes(other);
    case 'STARTSWITH':
      return own.startsWith(other);
    case 'ENDSWITH':
      return own.endsWith(other);
    case 'IN':
      return list().includes(own);
    case 'NOT IN':
      return own !== '' && !list().includes(own);
    case '<':
      return own !== '' && compare() < 0;
    case '<=':
      return own !== '' && compare() <= 0;
    case '>':
      return own !== '' && compare() > 0;
    case '>=':
      return own !== '' && compare() >= 0;
    default:
      return true;
  }
}

/** Splits at `^`; `^^` stands for the character itself. */
function splitTerms(text: string): readonly string[] {
  const parts = [''];
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] !== '^') parts[parts.length - 1] += text[at] ?? '';
    else if (text[at + 1] === '^') {
      parts[parts.length - 1] += '^';
      at += 1;
    } else parts.push('');
  }
  return parts;
}

function parseTerm(part: string): QueryTerm {
  const field = /^[a-z0-9_.]+/.exec(part)?.[0] ?? '';
  const rest = part.slice(field.length);
  const operator = operators.find((each) => rest.startsWith(each)) ?? '';
  return { field, operator, value: rest.slice(operator.length) };
}
