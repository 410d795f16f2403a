export interface CommitResult<T> {
  result: T
  channels: ReadonlySet<string>
}

interface Notifier {
  <T>(committed: CommitResult<T>): T
  /** Sends pending notifications at once, so that the last jobs of a stopping process do not wait for polling. */
  flush(): Promise<void>
}

/** The least time between two notifications of a channel. */
const notifyGapMs = 4

/**
 * Sends a NOTIFY at once, and one more for all commits of the next few milliseconds. They are sent outside of the
 * transactions: inside, every commit would wait for the lock on the notification queue of Postgres.
 */
export function createNotifier(notify: (channel: string) => Promise<unknown>): Notifier {
  const gaps = new Map<string, { timer: NodeJS.Timeout; hasCommits: boolean }>()
  const sending = new Set<Promise<unknown>>()
  const send = (channel: string): void => {
    clearTimeout(gaps.get(channel)?.timer)
    gaps.set(channel, { timer: setTimeout(() => endGap(channel), notifyGapMs), hasCommits: false })
    const sent = notify(channel)
      .catch(() => undefined)
      .finally(() => sending.delete(sent))
    sending.add(sent)
  }
  const endGap = (channel: string): void => {
    const hasCommits = gaps.get(channel)?.hasCommits
    gaps.delete(channel)
    if (hasCommits) send(channel)
  }
  const announce = <T>({ result, channels }: CommitResult<T>): T => {
    for (const channel of channels) {
      const gap = gaps.get(channel)
      if (gap) gap.hasCommits = true
      else send(channel)
    }
    return result
  }
  return Object.assign(announce, {
    async flush() {
      for (const [channel, { hasCommits }] of gaps) if (hasCommits) send(channel)
      for (const { timer } of gaps.values()) clearTimeout(timer)
      await Promise.all(sending)
    },
  })
}
