import { readFileSync } from 'node:fs';

export interface ForeignLoad {
  /** Share of the machine that other processes used since the last call. Undefined if the system does not report it. */
  next(): number | undefined;
}

/** Load of other processes from the counters of Linux. The resolution of 10 ms suffices to detect quiet rounds. */
export function createForeignLoad(processIds: () => readonly number[]): ForeignLoad {
  let last = look(processIds());
  return {
    next() {
      const now = look(processIds());
      const before = last;
      last = now;
      if (!now || !before || now.total === before.total) return undefined;
      return Math.max(0, now.foreign - before.foreign) / (now.total - before.total);
    },
  };
}

interface Ticks {
  readonly total: number;
  readonly foreign: number;
}

/** https://man7.org/linux/man-pages/man5/proc_stat.5.html */
function look(processIds: readonly number[]): Ticks | undefined {
  try {
    const [head = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
    const [user = 0, nice = 0, system = 0, idle = 0, waiting = 0, ...interrupts] = head
      .split(/ +/)
      .slice(1, 9)
      .map(Number);
    const busy = [user, nice, system, ...interrupts].reduce((sum, ticks) => sum + ticks, 0);
    const own = processIds.reduce((sum, id) => sum + processTicks(id), 0);
    return { total: busy + idle + waiting, foreign: busy - own };
  } catch {
    return undefined;
  }
}

/** In hundredths of a second. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
export function processTicks(id: number): number {
  // The second field, the name, may contain spaces. It ends at the last parenthesis.
  const members = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  // User and system time of the process and of its ended children.
  return members.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
}
