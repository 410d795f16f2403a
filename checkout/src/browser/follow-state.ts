const firstPollMs = 2_000
const slowestPollMs = 15_000

/** Loads the page again as soon as the server has something else to show: by events, else by asking. */
export function followState(): void {
  const main = document.querySelector<HTMLElement>('main[data-state]')
  if (!main) return
  const { events = '', status = '', state } = main.dataset
  const isForm = document.querySelector('[data-pay]') !== null
  const see = (seen: string): boolean => {
    if (seen === state) return false
    location.replace(location.pathname)
    return true
  }
  const ask = async (): Promise<boolean> => {
    const answer = await fetch(status, { headers: { accept: 'application/json' } })
    if (!answer.ok) return false
    const body: unknown = await answer.json()
    return typeof body === 'object' && body !== null && 'state' in body && see(String(body.state))
  }
  const poll = (waitMs: number): void => {
    setTimeout(() => {
      const again = (isNew: boolean): void => {
        if (!isNew) poll(Math.min(waitMs * 1.5, slowestPollMs))
      }
      ask().then(again, () => again(false))
    }, waitMs)
  }
  // Somebody comes back to this tab: another one may have gone on meanwhile.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') ask().catch(() => undefined)
  })
  if (isForm) return
  if (!('EventSource' in window)) return poll(firstPollMs)
  const source = new EventSource(events)
  source.addEventListener('message', (event) => {
    if (see(String(event.data))) source.close()
  })
  source.addEventListener('error', () => {
    if (source.readyState === EventSource.CLOSED) poll(firstPollMs)
  })
}
