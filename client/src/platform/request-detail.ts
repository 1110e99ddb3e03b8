import { l10n } from 'vscode';

/** Maximum number of characters of a request in a dialog. */
const longest = 2000;

/** A request for a dialog, shortened with a remark if necessary. */
export function requestDetail(http: string): string {
  if (http.length <= longest) return http;
  return `${http.slice(0, longest)}…\n${l10n.t('The request is longer: Copy as cURL copies all of it.')}`;
}
