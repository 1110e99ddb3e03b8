import { retryWithHalfSize } from '../records/retry-with-half-size.ts';
import type { CallOptions } from '../api/call-platform.ts';
import type { ServiceNowClient } from '../api/client.ts';
import { readableOr } from './dictionary-rows.ts';
import { fieldText } from '../api/field-text.ts';

/** The fallback language, which every instance has. */
const english = 'en';

/**
 * Languages of choice labels by priority: that of the settings, or else of the user, then English, then that of the
 * instance. Unknown ones are omitted.
 */
export async function choiceLanguages(
  client: Pick<ServiceNowClient, 'tables'>,
  setting: string | undefined,
  options: CallOptions,
): Promise<readonly string[]> {
  const [own, usual] = await Promise.all([
    setting ?? onlyValue(client, { ...ofUser, options }),
    onlyValue(client, { ...ofInstance, options }),
  ]);
  const wanted = [own ?? usual, english, usual].filter((language) => language !== undefined);
  return [...new Set(wanted.map((language) => language.toLowerCase()))];
}

interface SingleValue {
  readonly table: string;
  readonly query: string;
  readonly field: string;
}

const ofUser: SingleValue = {
  table: 'sys_user',
  query: 'sys_id=javascript:gs.getUserID()',
  field: 'preferred_language',
};

const ofInstance: SingleValue = { table: 'sys_properties', query: 'name=glide.sys.language', field: 'value' };

/**
 * The language in a single record; undefined without one, or if more records are returned because a condition was
 * ignored.
 */
async function onlyValue(
  { tables }: Pick<ServiceNowClient, 'tables'>,
  { table, query, field, options }: SingleValue & { readonly options: CallOptions },
): Promise<string | undefined> {
  const parameters = { query, fields: ['sys_id', field], noCount: true };
  const page = await readableOr(undefined, () =>
    retryWithHalfSize(2, (limit) => tables.list(table, { ...parameters, limit: Math.max(2, limit) }, options)),
  );
  const [record, ...others] = page?.records ?? [];
  const language = others.length === 0 && record ? fieldText(record[field]) : '';
  return isLanguage(language) ? language : undefined;
}

/** Whether a text may be a language code, such as `de` or `pt-br`. */
export function isLanguage(text: string): boolean {
  return /^[a-z]{2,3}(?:[-_][a-z0-9]{2,8})*$/i.test(text);
}
