import { l10n } from 'vscode';

/** Characters of a request that a dialog has room for. */
const longest = 2000;

/** A request as a dialog shows it: what is longer is cut off, and said to be. */
export function requestDetail(http: string): string {
  if (http.length <= longest) return http;
  return `${http.slice(0, longest)}…\n${l10n.t('The request is longer: copied as cURL it is whole.')}`;
}
