import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { serveParentOnce } from '../../server/src/engine/rpc/parent-process.ts';
import type { SendRequest } from '../../server/src/engine/rpc/rpc-peer.ts';
import { type JobMethods, type NameMethods, jobShapes } from './rpc-programs.ts';

const askParent: SendRequest<NameMethods> = serveParentOnce<NameMethods, JobMethods>({
  shapes: jobShapes,
  answers: {
    greet: async () => `Hello, ${await askParent('name', { letters: 3 })}!`,
    async reportAfter({ file }, { signal, onProgress }) {
      onProgress('started');
      while (!existsSync(file));
      onProgress('late');
      if (!signal.aborted) await once(signal, 'abort');
      await writeFile(`${file}.aborted`, String(signal.reason));
      return 'aborted';
    },
  },
});
