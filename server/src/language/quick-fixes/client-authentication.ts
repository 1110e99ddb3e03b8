import { isMap } from 'yaml';
import type { ParsedDataSources } from '../../model/parse-data-sources.ts';
import { rangeOf } from '../../model/yaml-text.ts';
import { type Fix, fixOfMeaning } from './quick-fix.ts';

/**
 * Fixes of a login at a position that a token endpoint refuses with `invalid_client`: the credentials of the client are
 * sent in the other way. Only the endpoint knows which it takes, so there is no problem in the file.
 */
export function clientAuthenticationFixes({ yaml, sources }: ParsedDataSources, offset: number): readonly Fix[] {
  return sources.sources.flatMap(({ name }) => {
    const path = ['dataSources', name.value, 'auth'];
    const auth: unknown = yaml.document.getIn(path, true);
    if (!isMap(auth) || auth.get('kind') !== 'oauth2' || !auth.has('clientSecret')) return [];
    const { start, end } = rangeOf(auth);
    if (offset < start || offset > end) return [];
    const isBasic = auth.get('clientAuthentication') === 'basic';
    const title = isBasic
      ? 'Send clientId and clientSecret in the form'
      : 'Send clientId and clientSecret by HTTP Basic authentication';
    const value = isBasic ? 'body' : 'basic';
    return fixOfMeaning({ title }, yaml, [{ kind: 'set', path: [...path, 'clientAuthentication'], value }]);
  });
}
