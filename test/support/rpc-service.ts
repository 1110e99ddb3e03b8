import { once } from 'node:events';
import { serveParent } from '../../server/src/engine/rpc/parent-process.ts';
import { type ServiceMethods, serviceShapes } from './rpc-programs.ts';

serveParent<ServiceMethods>({
  shapes: serviceShapes,
  answers: {
    pid: async () => process.pid,
    async countTo({ last }, { onProgress }) {
      for (let reached = 1; reached <= last; reached += 1) onProgress(reached);
      return last;
    },
    async fail({ message }) {
      throw new Error(message);
    },
    async untilAborted(_, { signal, onProgress }) {
      onProgress('started');
      if (!signal.aborted) await once(signal, 'abort');
      return String(signal.reason);
    },
    exit: async ({ code }) => process.exit(code),
    async neverReturn() {
      for (;;);
    },
  },
});
