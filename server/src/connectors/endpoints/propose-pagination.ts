import { type AnswerSigns, isAddress, isCountOfAnswer, linkPlace } from './answer-signs.ts';
import { defaultPageSize, detectPagination } from './detect-pagination.ts';
import { limitNames, nameAmong, offsetNames, pageNames, plainName } from './paging-names.ts';

/** Settings of `pagination` for a service. */
interface ProposedPagination {
  readonly settings: PaginationSettings;
  /** Names of parameters are guessed: the request and the answer do not have them. */
  readonly isGuess: boolean;
}

type PaginationSettings = Readonly<Record<string, string | number>>;

/**
 * The pagination of a list by a request and its answer.
 * @param sent names and values of the parameters of the request
 */
export function proposePagination(
  sent: readonly (readonly [name: string, value: string])[],
  signs: AnswerSigns,
): ProposedPagination {
  const { next, nextPath } = signs;
  const total = signs.total && !isCountOfAnswer(signs.total) ? signs.total : undefined;
  const valueOf = (name: string): string => sent.find(([each]) => each === name)?.[1].trim() ?? '';
  const limit = nameAmong(
    limitNames,
    sent.map(([name]) => name),
  );
  const size = limitSettings(limit, limit === undefined ? '' : valueOf(limit));
  const beside = new Map<string, readonly string[]>();
  if (nextPath) beside.set('next', nextPath);
  if (total?.path) beside.set('total', total.path);
  const told = detectPagination(new Map(sent.map(([name]) => [name, {}])), beside);
  const sure = (settings: PaginationSettings): ProposedPagination => ({ settings, isGuess: false });
  if (told && told.style !== 'none') {
    const parameter = 'parameter' in told ? (told.parameter ?? told.style) : told.style;
    const usualLimit = told.style === 'offset' && told.limitParameter === 'limit';
    return sure({
      style: told.style,
      ...(parameter !== told.style && { parameter }),
      ...(usualLimit ? omit(size, 'limitParameter') : size),
      ...(told.style === 'page' && valueOf(parameter) === '0' && { first: 0 }),
      ...(told.style === 'cursor' && { next: told.next.join('.') }),
      ...(told.total.length > 0 && { total: told.total.join('.') }),
    });
  }
  if (next?.place === linkPlace) return sure({ style: 'link', ...size });
  if (next?.path && isAddress(next.value)) return sure({ style: 'cursor', ...size, next: next.path.join('.') });
  const known = { ...signs, total };
  return ofService(known) ?? { settings: { ...guessed(known), ...size }, isGuess: true };
}

function limitSettings(limit: string | undefined, value: string): PaginationSettings {
  if (limit === undefined) return {};
  const size = /^[1-9]\d{0,5}$/.test(value) ? Number(value) : defaultPageSize;
  return { limitParameter: limit, ...(size !== defaultPageSize && { pageSize: size }) };
}

/** Services whose parameters have names of their own, by the fields of their answers. */
function ofService({ total, echoes }: AnswerSigns): ProposedPagination | undefined {
  const path = total?.path?.join('.');
  const byOffset = (parameter: string, limitParameter: string): ProposedPagination => ({
    settings: { style: 'offset', parameter, limitParameter, ...(path !== undefined && { total: path }) },
    isGuess: false,
  });
  if (path === '@odata.count') return byOffset('$skip', '$top');
  // Elasticsearch
  if (path === 'hits.total') return byOffset('from', 'size');
  // Solr
  if (path === 'response.numFound') return byOffset('start', 'rows');
  // Jira
  if (echoes.has('startAt') && echoes.has('maxResults')) return byOffset('startAt', 'maxResults');
  return undefined;
}

/** Parameters are often named like the fields of the answers. */
function guessed({ next, total, pages, hasMore, echoes }: AnswerSigns): PaginationSettings {
  const path = total?.path?.join('.');
  const totals: PaginationSettings = path === undefined ? {} : { total: path };
  if (next?.path) {
    const name = next.path.at(-1) ?? '';
    // As of GitLab.
    if (name === 'header:X-Next-Page') return { style: 'cursor', parameter: 'page', next: name };
    const plain = plainName(name);
    if (['nextpage', 'page'].includes(plain) && typeof next.value === 'number') return { style: 'page', ...totals };
    if (['nextoffset', 'nextstart', 'offset'].includes(plain)) return { style: 'offset', ...totals };
    return { style: 'cursor', parameter: cursorParameter(name), next: next.path.join('.') };
  }
  const own = (names: readonly string[]): string | undefined => nameAmong(names, echoes.keys());
  const [offset, page, limit] = [own(offsetNames), own(pageNames), own(limitNames.filter((name) => name !== 'count'))];
  const limits: PaginationSettings = limit === undefined ? {} : { limitParameter: limit };
  if (offset !== undefined) return { style: 'offset', parameter: offset, ...limits, ...totals };
  if (page !== undefined || pages) {
    // Spring calls the number of a page `number`.
    const isFromZero = echoes.get(page ?? 'number') === 0;
    return { style: 'page', ...limits, ...(isFromZero && { first: 0 }), ...totals };
  }
  if (hasMore && plainName(hasMore.place).endsWith('hasmore') && path === undefined) {
    // As of Stripe: the next page starts after the last record.
    return { style: 'cursor', parameter: 'starting_after', next: 'data[-1].id' };
  }
  return { style: 'offset', ...totals };
}

/** `next_page_token` is sent as `page_token`, `nextCursor` as `cursor`. */
function cursorParameter(name: string): string {
  if (/^next_?(?:token|marker)$/i.test(name)) return name;
  const bare = name.replace(/^_?next_?/i, '');
  return bare === '' ? 'cursor' : `${bare.charAt(0).toLowerCase()}${bare.slice(1)}`;
}

function omit(settings: PaginationSettings, name: string): PaginationSettings {
  return Object.fromEntries(Object.entries(settings).filter(([each]) => each !== name));
}

/** The settings as YAML of one line. */
export function pagingYaml(settings: PaginationSettings): string {
  const scalar = (value: string | number): string =>
    typeof value === 'number' || /^[A-Za-z_][\w.-]*$/.test(value) ? String(value) : JSON.stringify(value);
  return `pagination: { ${Object.entries(settings)
    .map(([name, value]) => `${name}: ${scalar(value)}`)
    .join(', ')} }`;
}
