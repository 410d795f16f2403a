import { readdirSync, readFileSync } from 'node:fs'

const ticksPerSecond = 100

type Stat = { parentPid: number; ms: number }

function statOf(pid: string): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may contain spaces; the parent pid is the second field after it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0)
    return { parentPid: Number(fields[1]), ms: (ticks * 1_000) / ticksPerSecond }
  } catch {
    return undefined
  }
}

/** The CPU time of a process and its children so far; 0 on systems without /proc. */
export function processorTimeMs(pid: number): number {
  const own = statOf(String(pid))
  if (own === undefined) return 0
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
    .filter((stat) => stat?.parentPid === pid)
  return children.reduce((sum, child) => sum + (child?.ms ?? 0), own.ms)
}

/** The time of all processors so far, and what of it a host took for its other machines; 0 on systems without /proc. */
export function stolenTime(): { all: number; stolen: number } {
  try {
    const [, ...ticks] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').split(/ +/)
    // user, nice, system, idle, iowait, irq, softirq and steal; guests are part of user.
    const counted = ticks.slice(0, 8).map(Number)
    return { all: counted.reduce((sum, one) => sum + one, 0), stolen: counted[7] ?? 0 }
  } catch {
    return { all: 0, stolen: 0 }
  }
}

/** The share of the processors that a host took for its other machines since then. */
export function stolenShareSince(before: ReturnType<typeof stolenTime>): number {
  const now = stolenTime()
  return (now.stolen - before.stolen) / Math.max(1, now.all - before.all)
}
