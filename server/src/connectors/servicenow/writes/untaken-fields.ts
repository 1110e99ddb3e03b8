import type { FieldValues } from '../../../../../protocol/platform-actions.ts';
import { fieldText } from '../api/field-text.ts';

/**
 * Fields of a record that the instance did not accept, one sentence each. It silently ignores unknown and read-only
 * fields, so the returned record is compared.
 */
export function rejectedFields(sent: FieldValues, record: Readonly<Record<string, unknown>>): readonly string[] {
  // The response may contain the key only, in an address.
  if (Object.keys(record).every((name) => name === 'sys_id'))
    return ['The instance does not show the record: look there whether every field was set.'];
  const names = Object.keys(sent);
  const missing = names.filter((name) => !(name in record));
  const others = names.flatMap((name) => {
    const has = fieldText(record[name]);
    const shown = fieldText(record[name], 'display_value');
    const isTaken = isSame(sent[name] ?? '', has) || isSame(sent[name] ?? '', shown);
    if (!(name in record) || isTaken || (has === '' && journals.has(name))) return [];
    return [has === '' ? `${name} is empty` : `${name} is "${has}"`];
  });
  return [
    ...(missing.length === 0
      ? []
      : [
          `The record has no ${missing.join(', ')}, or none that this user may read: what was sent for that is lost. Check the spelling.`,
        ]),
    ...(others.length === 0
      ? []
      : [
          `The record differs from the one sent: ${others.join(', ')}. A rule changed that, the user may not write it, or it is a journal or a password, which are never shown.`,
        ]),
  ];
}

/** Journal fields: their entries are not part of the record. */
const journals = new Set(['comments', 'work_notes', 'comments_and_work_notes']);

/** The platform normalises values: `1` is true, `2.50` is 2.5, a date has a time. */
function isSame(sent: string, has: string): boolean {
  const [one, other] = [sent.trim(), has.trim()];
  if (one === other || (/^(?:true|1)$/.test(one) && /^(?:true|1)$/.test(other))) return true;
  if (/^(?:false|0)$/.test(one) && /^(?:false|0)$/.test(other)) return true;
  if (one === '' || other === '') return false;
  return Number(one) === Number(other) || `${one} 00:00:00` === other;
}
