import { lazy, type ComponentType, type LazyExoticComponent } from 'react'

const longestMs = 1_000

const untilIdle = (): Promise<void> =>
  new Promise((resolve) => {
    // Safari has no idle callbacks.
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: longestMs })
    else setTimeout(resolve, longestMs)
  })

/** For parts that a page does not need at first: they are fetched after the rows are loaded and painted. */
export const lazyWhenIdle = <Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> =>
  lazy(async () => {
    await untilIdle()
    return { default: await load() }
  })
