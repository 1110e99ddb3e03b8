import type { JsonPage } from '../../fetched/record-source.ts';

/** A page that can be loaded without parsing: each record has all requested fields, as texts. */
export interface RegularPage extends JsonPage {
  /** The `sys_id` of each record. */
  readonly keys: readonly string[];
}

/** Undefined for other pages, which must be parsed. */
export type RegularPageReader = (text: string) => RegularPage | undefined;

const start = '{"result":[';

/** Maximum length in characters; longer pages are processed in parts. */
const maxCharacters = 1024 * 1024;

/**
 * Recognises raw pages with one regular expression per record, in a fifth of the time of parsing JSON and without
 * temporary values.
 * @param fields the requested ones, including `sys_id`
 */
export function regularPageReader(fields: readonly string[]): RegularPageReader {
  const isWanted = new Set(fields);
  const expressions = new Map<string, RegExp>();

  /** An instance sends the fields of all records in the same order. */
  function recordLike(first: string): RegExp | undefined {
    const names = Array.from(first.matchAll(/[{,]"([\w.]+)":"/g), ([, name = '']) => name);
    const order = names.join();
    if (names.length !== isWanted.size || !names.every((name) => isWanted.has(name))) return undefined;
    const known = expressions.get(order) ?? recordExpression(names);
    expressions.set(order, known);
    return known;
  }

  return (text) => {
    if (text.length > maxCharacters || !text.startsWith(start)) return undefined;
    const record = recordLike(text.slice(start.length, text.indexOf('"}', start.length) + 1));
    if (!record) return undefined;
    const keys: string[] = [];
    for (record.lastIndex = start.length; ;) {
      const [, key, behind] = record.exec(text) ?? [];
      if (key === undefined) return undefined;
      keys.push(key);
      if (behind !== ',') return { text, keys, records: keys.length };
    }
  };
}

/** JSON string characters except control characters, which JSON forbids, and lone surrogates, which DuckDB rejects. */
const plain = String.raw`[^"\\\u0000-\u001f]`;
const value = String.raw`${plain}*(?:\\(?:["\\/bfnrt]|u(?![dD][89a-fA-F])[\da-fA-F]{4})${plain}*)*`;

/** A record with these fields, followed by a comma or the end of the page. */
function recordExpression(names: readonly string[]): RegExp {
  const pairs = names.map((name) => `"${name.replaceAll('.', '\\.')}":"${name === 'sys_id' ? `(${plain}+)` : value}"`);
  return new RegExp(String.raw`\{${pairs.join(',')}\}(,|\]\}$)`, 'y');
}
