import type { Pagination } from './pagination.ts';

/** What one request is about: where its page starts, and from when on an import wants records. */
export interface RequestPlace {
  /** Number of the page, the cursor, or the records to skip, as the style of pagination wants it. */
  readonly position?: string | undefined;
  /** ISO 8601, UTC; only of an import with `--since`. */
  readonly since?: string | undefined;
}

/** The forms of the time: ISO 8601, its date, and the time since 1970. */
const sinceForms: Readonly<Record<string, (time: Date) => string>> = {
  since: (time) => time.toISOString(),
  'since:date': (time) => time.toISOString().slice(0, 10),
  'since:seconds': (time) => String(Math.floor(time.getTime() / 1000)),
  'since:milliseconds': (time) => String(time.getTime()),
};

/** Each is named as the style of pagination that gives it. */
const positions = ['offset', 'page', 'cursor'];

export function hasPlaceholder(parameters: Readonly<Record<string, string>>, name: string): boolean {
  return Object.values(parameters).some((template) => placeholdersOf(template).includes(name));
}

export function hasAnyPlaceholder(template: string): boolean {
  return placeholdersOf(template).length > 0;
}

/** What a template must be, in words, when no request could fill it. */
export function templateMistake(template: string, style: Pagination['style'] | undefined): string | undefined {
  const names = placeholdersOf(template);
  const known = [...Object.keys(sinceForms), 'pageSize', ...positions];
  if (names.some((name) => !known.includes(name))) {
    return `a text with no other placeholders than ${known.map(written).join(', ')}`;
  }
  const foreign = names.find((name) => positions.includes(name) && name !== style);
  if (foreign !== undefined) return `without ${written(foreign)}, or pagination of style ${foreign}`;
  if (names.includes('pageSize') && style === undefined) return `without ${written('pageSize')}, or with pagination`;
  // The whole parameter is left out of requests without a time, and with it the place of the page.
  const mixed = style !== undefined && names.includes(style) && names.some((name) => name in sinceForms);
  return mixed ? `without ${written('since')} beside ${written(style)}` : undefined;
}

/** The text to send; undefined for a template that asks for something that this request does not have: it is not sent then. */
export function filledTemplate(
  template: string,
  pagination: Pagination | undefined,
  { position, since }: RequestPlace,
): string | undefined {
  const valueOf = (name: string): string | undefined => {
    if (name === 'pageSize') return pagination && String(pagination.pageSize);
    if (name === pagination?.style) return position;
    return since === undefined ? undefined : sinceForms[name]?.(new Date(since));
  };
  let isWhole = true;
  const text = template.replace(placeholder, (_, name: string) => {
    const value = valueOf(name);
    if (value === undefined) isWhole = false;
    return value ?? '';
  });
  return isWhole ? text : undefined;
}

/** Names of the parameters that only an import with `--since` sends. */
export function sinceParameters(parameters: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(parameters).filter((name) =>
    placeholdersOf(parameters[name] ?? '').some((each) => each in sinceForms),
  );
}

const placeholder = /\{\{\s*([^{}]*?)\s*\}\}/g;

function placeholdersOf(template: string): readonly string[] {
  return [...template.matchAll(placeholder)].map(([, name = '']) => name);
}

function written(name: string): string {
  return `{{${name}}}`;
}
