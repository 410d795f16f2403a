import { lazy, type ComponentType, type LazyExoticComponent } from 'react'

const longestMs = 1_000

const untilIdle = (): Promise<void> =>
  new Promise((resolve) => {
    // Safari has no idle callbacks.
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: longestMs })
    else setTimeout(resolve, longestMs)
  })

/** For what a page can do without at first: it is fetched after the rows have been asked for and painted. */
export const lazyWhenIdle = <Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> =>
  lazy(async () => {
    await untilIdle()
    return { default: await load() }
  })
