/** A name without case and punctuation: `next_cursor`, `nextCursor` and `NextCursor` are one name. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** The first of the names, in this order, that is among `others`, as written there. */
export function nameAmong(names: readonly string[], others: Iterable<string>): string | undefined {
  const written = new Map([...others].map((each) => [plainName(each), each]));
  const found = names.find((name) => written.has(name));
  return found === undefined ? undefined : written.get(found);
}

// All names are plain, the usual one first.

/** Parameters and fields with the size of a page. */
export const limitNames: readonly string[] = [
  'limit',
  'perpage',
  'pagesize',
  'size',
  'count',
  'top',
  'maxresults',
  'rows',
  'take',
  'sysparmlimit',
];

/** Fields that repeat the requested size; `count` and `size` may also be the number of records in the answer. */
export const sizeNames: readonly string[] = limitNames.filter(
  (name) => !['count', 'size', 'rows', 'take'].includes(name),
);

export const offsetNames: readonly string[] = ['offset', 'skip', 'start', 'startat', 'startindex'];

export const pageNames: readonly string[] = ['page', 'pagenumber', 'currentpage'];

export const cursorNames: readonly string[] = [
  'cursor',
  'after',
  'pagetoken',
  'startingafter',
  'nexttoken',
  'continuationtoken',
];

/** Fields with the cursor or the address of the next page. */
export const nextNames: readonly string[] = [
  'nextcursor',
  'nextpagetoken',
  'nexttoken',
  'odatanextlink',
  'nextrecordsurl',
  'nextlink',
  'nexturl',
  'nexthref',
  'nextpageurl',
  'nextmarker',
  'nextcontinuationtoken',
  'continuationtoken',
  'resumptiontoken',
  'nextoffset',
  'nextstart',
  'nextpage',
  'aftercursor',
  'endcursor',
  'cursor',
  'next',
];

/** Fields of an object that describes the next page. */
export const nextParts: readonly string[] = [
  'href',
  'url',
  'uri',
  'link',
  'after',
  'cursor',
  'token',
  'startingafter',
  'page',
  'offset',
];

/** Fields with the number of all records. */
export const totalNames: readonly string[] = [
  'total',
  'totalcount',
  'totalelements',
  'totalresults',
  'totalitems',
  'totalrecords',
  'totalsize',
  'totalhits',
  'totalrows',
  'odatacount',
  'recordsfiltered',
  'recordstotal',
  'numfound',
  'count',
];

/** Fields with the number of all pages. */
export const pageCountNames: readonly string[] = ['totalpages', 'lastpage', 'pagecount', 'numpages', 'pages'];

/** Flags that are true while there are further records. */
export const moreNames: readonly string[] = [
  'hasmore',
  'hasnext',
  'hasnextpage',
  'hasmoreitems',
  'hasmorepages',
  'morerecords',
  'moreresults',
  'moreavailable',
  'more',
  'istruncated',
  'truncated',
  'next',
];

/** Flags that are true on the last page. */
export const lastNames: readonly string[] = ['islast', 'islastpage', 'lastpage', 'last', 'done', 'endofstream'];

/** Objects of an answer that describe its paging, besides those that contain the list. */
export const pagingGroups: readonly string[] = [
  'links',
  'meta',
  'metadata',
  'paging',
  'pagination',
  'page',
  'pages',
  'pageinfo',
  'cursor',
  'cursors',
  'hits',
  'response',
  'responsemetadata',
  'result',
  'results',
  'data',
  'header',
  'info',
  'listinfo',
  'searchinformation',
  'next',
];
