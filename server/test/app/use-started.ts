import { afterAll, beforeAll } from 'vitest'

/**
 * Starts something before the tests of the file, or of the surrounding `describe`, and stops it after them. Hooks
 * that are registered later run after the start and before the stop. Members exist only in between.
 */
export function useStarted<T extends object>(start: () => Promise<T>, stop: (started: T) => unknown): T {
  let started: T | undefined
  beforeAll(async () => {
    started = await start()
  })
  afterAll(async () => {
    if (started) await stop(started)
    started = undefined
  })
  const running = (): T => {
    if (!started)
      throw new Error(
        'This fixture is not running: use it in a test or a hook, not while the file is loaded.',
      )
    return started
  }
  // The empty target is never read: every trap goes to what was started.
  return new Proxy({} as T, {
    get: (_target, name) => Reflect.get(running(), name) as unknown,
    set: (_target, name, value) => Reflect.set(running(), name, value),
    has: (_target, name) => Reflect.has(running(), name),
    ownKeys: () => Reflect.ownKeys(running()),
    getOwnPropertyDescriptor: (_target, name) => {
      const descriptor = Reflect.getOwnPropertyDescriptor(running(), name)
      // A proxy may report only properties of its target as fixed.
      return descriptor && { ...descriptor, configurable: true }
    },
  })
}
