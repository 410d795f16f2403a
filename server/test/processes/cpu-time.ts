/** The processor time of this thread, which other processes on a busy machine do not lengthen. */
export function cpuMsOf(run: () => unknown): number {
  const before = process.threadCpuUsage()
  run()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}
