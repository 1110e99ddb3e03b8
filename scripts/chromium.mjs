import { findProgram } from './run-command.mjs';

/** Renders pages in half the processor time of `chromium`, because it has no window. */
export const headlessShell = 'chromium-headless-shell';

/** Of a Chromium that runs as root, in a container without a graphics card, and calls nobody. */
export const chromiumFlags = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
  ...['--disable-background-networking', '--disable-component-update'],
];

/** Optimizing code costs more processor time than it saves in pages that live for seconds. */
export const flagsOfShortPages = [...chromiumFlags, '--js-flags=--no-opt --no-maglev'];

/**
 * The Chromium of tests, benchmarks and pictures: the one named in the environment, else the lightest. Keyboard focus
 * moves between frames, as of VS Code, only in a Chromium `withWindow`.
 */
export function chromiumPath({ withWindow = false } = {}) {
  const light = withWindow ? undefined : findProgram(headlessShell);
  return process.env.CHROMIUM_PATH ?? light ?? findProgram('chromium') ?? '/usr/bin/chromium';
}
