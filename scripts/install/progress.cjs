/* One moving line on a terminal; elsewhere (a log, CI) a plain line every few seconds. */
"use strict";

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const terminalEveryMs = 120;
const logEveryMs = 5_000;

/** Shows `title` with count() of `total` and the seconds gone until stop() is called. */
function startProgress(title, total, count) {
  const startedAt = Date.now();
  const isTerminal = process.stdout.isTTY === true;
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  let frame = 0;
  let counted = 0;
  const draw = () => {
    // Counting looks at each package's folder: on a terminal, every eighth frame is enough.
    if (!isTerminal || frame % 8 === 0) counted = count();
    const text = `${title}: ${counted} of ${total} packages, ${seconds()} s`;
    process.stdout.write(isTerminal ? `\r${frames[frame++ % frames.length]} ${text}\u001b[K` : `${text}\n`);
  };
  if (!isTerminal) process.stdout.write(`${title}: ${total} packages\n`);
  const timer = setInterval(draw, isTerminal ? terminalEveryMs : logEveryMs);
  return {
    stop(isDone) {
      clearInterval(timer);
      if (isTerminal) process.stdout.write("\r\u001b[K");
      if (isDone) process.stdout.write(`Installed ${total} packages in ${seconds()} s\n`);
    },
  };
}

module.exports = { startProgress };
