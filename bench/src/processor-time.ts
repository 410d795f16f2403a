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
