const defect = "process.on('SIGWINCH', () => Promise.reject(new Error('stray')));";

/** Environment of a program in which SIGWINCH rejects a promise that no code handles, as a defect would. */
export const strayRejection = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(defect)}`,
};

/** The line of the log about it. */
export const strayLine = /"level":50.*stray.*no code handles a rejected promise/;
