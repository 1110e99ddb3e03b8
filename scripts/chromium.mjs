import { findProgram } from './run-command.mjs';

/** Renders pages in half the processor time of `chromium`, because it has no window. */
export const headlessShell = 'chromium-headless-shell';

/**
 * The Chromium of tests, benchmarks and pictures: the one named in the environment, else the lightest. Keyboard focus
 * moves between frames, as of VS Code, only in a Chromium `withWindow`.
 */
export function chromiumPath({ withWindow = false } = {}) {
  const light = withWindow ? undefined : findProgram(headlessShell);
  return process.env.CHROMIUM_PATH ?? light ?? findProgram('chromium') ?? '/usr/bin/chromium';
}
