import { isMap } from 'yaml';
import type { Problem } from '../../model/problem.ts';
import { isThisMachine } from '../../model/this-machine.ts';
import { rangeOf, resolveNode } from '../../model/yaml-text.ts';
import type { SourcesCheck } from './check.ts';

/** Modes with which the driver goes on without encryption when the server, or somebody on the way, says that there is none. */
const fallingBack = ['allow', 'prefer'];

/** A PostgreSQL source gives its password and its rows to another machine without encryption where that offers none. */
export const unencryptedConnection: SourcesCheck = {
  codes: ['unencrypted-connection'],
  check: ({ parsed: { sources, yaml } }) =>
    sources.sources.flatMap(({ name, kind, settings }): readonly Problem[] => {
      const { host = 'localhost', ssl } = settings;
      const mode = typeof ssl === 'object' && ssl !== null ? (ssl as { readonly mode?: unknown }).mode : undefined;
      if (kind?.value !== 'postgresql' || typeof mode !== 'string' || !fallingBack.includes(mode)) return [];
      // What a reference stands for is not known here.
      if (typeof host !== 'string' || host.includes('${') || isThisMachine(host)) return [];
      const node = resolveNode(yaml.document.getIn(['dataSources', name.value, 'ssl', 'mode'], true), yaml);
      return [
        {
          code: 'unencrypted-connection',
          severity: 'warning',
          message: `With "${mode}", password and rows go to ${host} in the clear when it offers no encryption. Use "verify-full", or at least "require".`,
          range: node && !isMap(node) ? rangeOf(node) : name.range,
          suggestions: ['require', 'verify-full'],
        },
      ];
    }),
};
