import { isRecord } from '../fetched/json-records.ts';
import type { AnswerHeaders } from '../http/http-client.ts';
import { hasPageLinks, nextLink } from './link-header.ts';
import {
  lastNames,
  limitNames,
  moreNames,
  nextNames,
  nextParts,
  offsetNames,
  pageCountNames,
  pageNames,
  pagingGroups,
  plainName,
  sizeNames,
  totalNames,
} from './paging-names.ts';

/** What an answer says about further records, whatever the settings are. */
export interface AnswerSigns {
  /** The cursor or the address of the next page. */
  readonly next?: Sign<string | number> | undefined;
  readonly total?: Sign<Total> | undefined;
  /** Number of all pages. */
  readonly pages?: Sign<number> | undefined;
  /** Whether a flag says that there are further records. */
  readonly hasMore?: Sign<boolean> | undefined;
  /** The field of the next page, also when it is empty. */
  readonly nextPath?: readonly string[] | undefined;
  /** A field or header for the next page is there, and empty. */
  readonly isWithoutNext: boolean;
  /** The size that the answer names as its own. */
  readonly size?: number | undefined;
  /** Fields with the names of paging parameters, by their names in the answer. */
  readonly echoes: ReadonlyMap<string, number>;
}

export interface Sign<T> {
  /** Place in words, such as `links.next` or `the header Link`. */
  readonly place: string;
  /** Path as in the settings; absent for places that these cannot name. */
  readonly path?: readonly string[] | undefined;
  readonly value: T;
}

/** A field `count` may be the number of records in the answer. */
export function isCountOfAnswer({ path = [] }: Sign<Total>): boolean {
  return plainName(path.at(-1) ?? '') === 'count';
}

/** A number of records; a lower bound is at least that many. */
export interface Total {
  readonly count: number;
  readonly isLowerBound: boolean;
}

/** @param records the path of the record list, which is not searched */
export function answerSigns(
  answer: unknown,
  headers: AnswerHeaders,
  records: readonly string[],
  url?: URL,
): AnswerSigns {
  const fields = [...fieldsOf(answer, records)];
  const nexts = [...nextsIn(fields), ...nextsInHeaders(headers, url)];
  const next = nexts.find(({ value }) => isAddress(value)) ?? nexts.find(({ value }) => isLiveCursor(value));
  return {
    next: next && isLiveCursor(next.value) ? { ...next, value: next.value } : undefined,
    nextPath: (next ?? nexts[0])?.path,
    isWithoutNext: next === undefined && (nexts.length > 0 || hasPageLinks(headers.get('link'))),
    total: totalOf(answer, fields) ?? totalInHeader(headers),
    pages: pagesOf(fields) ?? numberInHeader(headers, ['X-Total-Pages']),
    hasMore: flagOf(fields),
    size: first(fields, sizeNames, wholeNumber)?.value,
    echoes: echoesOf(fields),
  };
}

/** Whether a value leads to a further page: services end a list by `null`, `""`, `false`, 0 or -1. */
export function isLiveCursor(value: unknown): value is string | number {
  return (typeof value === 'number' || typeof value === 'string') && !deadCursors.has(value);
}

/** Whether a cursor ends the list. Objects and lists are not cursors, but do not end it either. */
export function endsList(cursor: unknown): boolean {
  return cursor === undefined || cursor === null || cursor === false || deadCursors.has(cursor);
}

const deadCursors: ReadonlySet<unknown> = new Set(['', '0', '-1', 0, -1]);

/** Whether a flag ends the list whatever the cursor is. Flags such as `truncated` may mean something else. */
export function saysLast({ hasMore }: AnswerSigns): boolean {
  return hasMore?.value === false && /^has/.test(plainName(hasMore.path?.at(-1) ?? ''));
}

/** The total at a field, which may be an object with `value` and `relation`, as of Elasticsearch. */
export function readTotal(value: unknown, beside?: unknown): Total | undefined {
  const isGroup = isRecord(value);
  const text = isGroup ? value['value'] : value;
  const count = wholeNumber(typeof text === 'string' ? text.replace(/\+$/, '') : text);
  if (count === undefined) return undefined;
  const relation = isGroup ? value['relation'] : isRecord(beside) ? beside['relation'] : undefined;
  const isLowerBound =
    (relation !== undefined && relation !== 'eq') || (typeof text === 'string' && text.endsWith('+'));
  return { count, isLowerBound };
}

interface Field {
  readonly path: readonly string[];
  /** Plain name. */
  readonly name: string;
  /** Plain name of the group that contains it. */
  readonly group: string;
  readonly value: unknown;
}

/** Limits the search in large answers. */
const maxFields = 2000;
const maxDepth = 4;

/** The fields of an answer and of its groups about paging. */
function* fieldsOf(answer: unknown, records: readonly string[]): Generator<Field> {
  if (records.length === 0 || !isRecord(answer)) return;
  const list = records.join('.');
  const queue: { readonly path: readonly string[]; readonly value: Readonly<Record<string, unknown>> }[] = [
    { path: [], value: answer },
  ];
  let fields = 0;
  for (const { path, value: group } of queue) {
    for (const [key, value] of Object.entries(group)) {
      const own = [...path, key];
      const text = own.join('.');
      if (text === list || (fields += 1) > maxFields) continue;
      const name = plainName(key);
      yield { path: own, name, group: plainName(path.at(-1) ?? ''), value };
      const isGroup = pagingGroups.includes(name) || list.startsWith(`${text}.`);
      if (isRecord(value) && isGroup && own.length < maxDepth) queue.push({ path: own, value });
    }
  }
}

/** The field with the first of the names, in this order, whose value can be read; outer fields come first. */
function first<T>(
  fields: readonly Field[],
  names: readonly string[],
  read: (value: unknown, field: Field) => T | undefined,
): (Sign<T> & { readonly name: string }) | undefined {
  for (const name of names) {
    for (const field of fields) {
      const value = field.name === name ? read(field.value, field) : undefined;
      if (value !== undefined) return { place: field.path.join('.'), path: field.path, value, name };
    }
  }
  return undefined;
}

/** The cursors and addresses of a next page, also empty ones. */
function nextsIn(fields: readonly Field[]): readonly Sign<unknown>[] {
  const listed = fields.flatMap(listedNext);
  const named = nextNames.flatMap((name) =>
    fields
      .filter((field) => field.name === name || (field.group === name && nextParts.includes(field.name)))
      .map(({ path, value }) => ({ place: path.join('.'), path, value })),
  );
  return [...listed, ...named].filter(({ value }) => !isRecord(value) && !Array.isArray(value) && value !== true);
}

/** Links as a list, as of FHIR: `link: [{ relation: next, url }]`. */
function listedNext({ path, name, value }: Field): readonly Sign<unknown>[] {
  if (!Array.isArray(value) || !['link', 'links'].includes(name)) return [];
  return value.flatMap((each: unknown): readonly Sign<unknown>[] => {
    if (!isRecord(each) || (each['rel'] ?? each['relation']) !== 'next') return [];
    return [{ place: `${path.join('.')} (next)`, value: each['href'] ?? each['url'] ?? each['uri'] }];
  });
}

/** Whether a cursor is the address of the next page. */
export function isAddress(cursor: unknown): cursor is string {
  return typeof cursor === 'string' && /^(?:https?:\/\/|\/|\?)/i.test(cursor);
}

function nextsInHeaders(headers: AnswerHeaders, url: URL | undefined): readonly Sign<unknown>[] {
  const link = nextLink(headers.get('link'), url);
  const page = headers.get('x-next-page')?.trim();
  return [
    ...(link === undefined ? [] : [{ place: linkPlace, value: /^[^/?]*$/.test(link) ? `/${link}` : link }]),
    ...(page === undefined ? [] : [{ place: 'the header X-Next-Page', path: ['header:X-Next-Page'], value: page }]),
  ];
}

/** Where the next address is, for `style: link`. */
export const linkPlace = 'the header Link';

function totalOf(answer: unknown, fields: readonly Field[]): Sign<Total> | undefined {
  return first(fields, totalNames, (value, { path }) => {
    const group = path.slice(0, -1).reduce<unknown>((each, name) => (isRecord(each) ? each[name] : undefined), answer);
    const total = readTotal(value, path.length > 1 ? group : undefined);
    return (
      total && { ...total, isLowerBound: total.isLowerBound || (isRecord(group) && group['numFoundExact'] === false) }
    );
  });
}

function totalInHeader(headers: AnswerHeaders): Sign<Total> | undefined {
  const total = numberInHeader(headers, ['X-Total-Count', 'X-Total', 'Total-Count']);
  if (total) return { ...total, value: { count: total.value, isLowerBound: false } };
  const range = wholeNumber(/\/(\d+)\s*$/.exec(headers.get('content-range') ?? '')?.[1]);
  return range === undefined
    ? undefined
    : { place: 'the header Content-Range', value: { count: range, isLowerBound: false } };
}

function numberInHeader(headers: AnswerHeaders, names: readonly string[]): Sign<number> | undefined {
  for (const name of names) {
    const value = wholeNumber(headers.get(name)?.trim());
    if (value !== undefined) return { place: `the header ${name}`, path: [`header:${name}`], value };
  }
  return undefined;
}

function pagesOf(fields: readonly Field[]): Sign<number> | undefined {
  return first(fields, pageCountNames, wholeNumber);
}

function flagOf(fields: readonly Field[]): Sign<boolean> | undefined {
  const flag = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);
  const more = first(fields, moreNames, flag);
  if (more) return more;
  const last = first(fields, lastNames, flag);
  return last && { ...last, value: !last.value };
}

function echoesOf(fields: readonly Field[]): ReadonlyMap<string, number> {
  const names = [...limitNames, ...offsetNames, ...pageNames, 'number'];
  return new Map(
    fields.flatMap(({ path, name, value }): readonly (readonly [string, number])[] =>
      names.includes(name) && typeof value === 'number' ? [[path.at(-1) ?? '', value]] : [],
    ),
  );
}

function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}
