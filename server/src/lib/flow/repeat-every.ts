/**
 * Runs `work` again and again: the next run starts `everyMs` after the former one has ended, or at once if that
 * reports more work. An error is reported and does not stop the loop.
 */
export function repeatEvery(
  everyMs: number,
  work: () => Promise<{ hasMore: boolean }>,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  const run = async (): Promise<void> => {
    const { hasMore } = await work().catch((error: unknown) => {
      onError(error)
      return { hasMore: false }
    })
    if (!isStopped) timer = setTimeout(begin, hasMore ? 0 : everyMs).unref()
  }
  const begin = (): void => {
    running = run()
  }
  begin()
  return {
    stop() {
      isStopped = true
      clearTimeout(timer)
      return running
    },
  }
}
