/** Structured log, one line per event. Lines must not contain credentials, prompts or bodies. */
export interface Log {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
  isLevelEnabled?(level: string): boolean;
}

/** Whether a line of this level is written. Ask before the facts of a frequent line are collected. */
export function isLogged(log: Log, level: string): boolean {
  return log.isLevelEnabled?.(level) !== false;
}
